create or replace function tasker.serve_limit_keys(
  p_limits       integer[],
  p_keys         text[],
  p_handlers     uuid[],
  p_limit        integer,
  p_until        timestamptz,
  p_worker_uuid  uuid,
  p_task_uuid    uuid,
  p_step_no      integer,
  p_settings     tasker.settings_now
)
  returns tasker.step_queue[]
  language plpgsql
as $$
declare
  v_now    timestamptz := tasker.write_clock();
  v_states tasker.limit_states[];
  v_lost   tasker.step_queue[];
  v_taken  tasker.step_queue[];
begin
  perform tasker.fold_limit_notes(p_limits, p_keys, v_now);
  -- This statement comes after the locks and the fold, so that it sees the commits that they waited for.
  v_states := tasker.limit_states_of(p_limits, p_keys, p_limit, v_now);

  -- The step of a lost worker holds its place until a claim recovers the step. Recover such steps even if this claim does
  -- not have their handler.
  select array_agg(q)
    into v_lost
    from (
      select distinct on (q.namespace, q.named_step_uuid) q
        from unnest(v_states) as s
       cross join lateral (
         (
           select q.*
             from tasker.limit_places as h
            cross join lateral (
              select q.*
                from tasker.step_queue as q
               where q.task_uuid = h.task_uuid
                 and q.step_no = h.step_no
                 and q.lane = 'running'
                 and q.visible_at <= v_now
              offset 0
            ) as q
            where s.with_places
              and h.limit_no = s.limit_no
              and h.limit_key = s.limit_key
              and h.held_units > 0
            limit 10
         )
         union all
         select q.*
           from tasker.step_queue as q
          where q.limit_no = s.limit_no
            and q.limit_key = s.limit_key
            and q.lane = 'running'
            and q.visible_at <= v_now
          limit 10
       ) as q
       where s.running >= s.concurrency or s.with_places
       order by q.namespace, q.named_step_uuid
    ) as x (q);
  if v_lost is not null and tasker.recover_lost_steps(v_lost, 100, p_worker_uuid) > 0 then
    v_states := tasker.limit_states_of(p_limits, p_keys, p_limit, v_now);
  end if;

  if exists (select from unnest(v_states) as s where s.with_places) then
    return tasker.take_place_rows(v_states, p_handlers, p_limit, p_until, v_now, p_task_uuid, p_step_no, p_settings);
  end if;
  v_taken := '{}';
  if exists (select from unnest(v_states) as s where s.free > 0) then
    v_taken := tasker.take_line_rows(v_states, p_handlers, p_limit, p_until, v_now, p_task_uuid, p_step_no, p_settings);
    v_states := array(
      select (
          s.place, s.limit_no, s.limit_key, s.version, s.concurrency, s.running, s.interval_us, s.burst, s.ahead_us, s.free,
          (select count(*) from unnest(v_taken) as t where t.limit_no = s.limit_no and t.limit_key = s.limit_key), false
        )::tasker.limit_states
        from unnest(v_states) as s
    );
  end if;
  perform tasker.write_limit_lines(v_states, v_now);
  return v_taken;
end;
$$;

comment on function tasker.serve_limit_keys is
$$Takes steps of keys that the caller holds: folds the notes, counts the running steps, takes steps for the free places, charges the rates, and writes when the lines are due again. If no place is free, steps of lost workers go back to the queue first.$$;
