create or replace function tasker.start_steps(
  p_taken        tasker.step_queue[],
  p_worker_uuid  uuid,
  p_lease_until  timestamptz
)
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_move  tasker.step_moves;
  v_moves tasker.step_moves[];
begin
  if cardinality(p_taken) = 0 then
    return '{}';
  elsif cardinality(p_taken) = 1 then
    v_move := tasker.write_start(p_taken[1], p_worker_uuid, p_lease_until, false);
    v_moves := case when v_move.task_uuid is not null then array[v_move] else '{}' end;
  else
    v_moves := tasker.write_starts(p_taken, p_worker_uuid, p_lease_until);
  end if;

  -- Another transaction holds the step, or the step is a suspect that must wait for another suspect. Try the row of the
  -- step again in a second.
  if cardinality(p_taken) > cardinality(v_moves) then
    v_moves := v_moves || tasker.start_suspect(p_taken, p_worker_uuid, p_lease_until);
    update tasker.step_queue as q
       set lane       = tasker.step_lane('enqueued', s.priority),
           claim_no   = s.claim_no,
           visible_at = tasker.write_clock() + interval '1 second'
      from unnest(p_taken) as u
     cross join lateral (
       select s.priority, s.claim_no
         from tasker.workflow_steps as s
        where s.task_uuid = u.task_uuid
          and s.step_no = u.step_no
       offset 0
     ) as s
     where q.task_uuid = any (array[u.task_uuid])
       and q.step_no = u.step_no
       and not exists (
         select
           from unnest(v_moves) as l
          where l.task_uuid = u.task_uuid
            and l.step_no = u.step_no
       );
    -- The step gives up its place in the limit and waits for a new place.
    perform tasker.moved(array_agg(tasker.step_move(
      p_task_uuid => u.task_uuid, p_step_no => u.step_no, p_from_state => 'in_progress', p_event => 'Release',
      p_to_state => 'enqueued'
    ) order by u.task_uuid, u.step_no), 260::smallint)
       from unnest(p_taken) as u
      where u.limit_no is not null
        and not exists (
          select
            from unnest(v_moves) as l
           where l.task_uuid = u.task_uuid
             and l.step_no = u.step_no
        )
     having count(*) > 0;
  end if;
  return v_moves;
end;
$$;

comment on function tasker.start_steps is
$$Starts the steps of these queue rows, which the caller has taken. Each step gets a new claim number, one more attempt and a lease. Returns the starts. At most one suspect (tasker.start_suspect) starts.

The function begins with the queue, the end of the lock order, so it skips steps that other transactions hold.$$;
