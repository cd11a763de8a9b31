create or replace function tasker.take_place_rows(
  p_states     tasker.limit_states[],
  p_handlers   uuid[],
  p_limit      integer,
  p_until      timestamptz,
  p_now        timestamptz,
  p_task_uuid  uuid,
  p_step_no    integer,
  p_settings   tasker.settings_now
)
  returns tasker.step_queue[]
  language plpgsql
as $$
declare
  v_row     tasker.step_queue;
  v_answer  text;
  v_stopped text[] := '{}';
  v_full    text[] := '{}';
  v_taken   tasker.step_queue[] := '{}';
begin
  for v_row in
    select q.*
      from tasker.step_queue as q
     where q.task_uuid = p_task_uuid
       and q.step_no = p_step_no
       and q.lane = 'limited'
    union all
    select c.*
      from tasker.line_candidates(p_states, p_handlers, p_limit + 10, p_now, p_settings) as c
     where p_task_uuid is null
  loop
    exit when cardinality(v_taken) = p_limit;
    -- Steps that need fewer places do not overtake a step that needs many places. Otherwise that step could wait for
    -- ever.
    continue when format('%s %s', v_row.limit_no, v_row.limit_key) = any (v_stopped);
    v_answer := tasker.take_places(v_row, p_until, p_now);
    if v_answer = 'taken' then
      v_taken := v_taken || (
        select q from tasker.step_queue as q where q.task_uuid = v_row.task_uuid and q.step_no = v_row.step_no
      );
    elsif v_answer in ('full', 'early') then
      v_stopped := v_stopped || format('%s %s', v_row.limit_no, v_row.limit_key);
      v_full := case when v_answer = 'full' then v_full || v_stopped[cardinality(v_stopped)] else v_full end;
    end if;
  end loop;

  perform tasker.write_limit_lines(
    array(
      select (
          s.place, s.limit_no, s.limit_key, s.version, s.concurrency,
          case when f.full then s.concurrency else s.running end - t.starts,
          s.interval_us, s.burst, s.ahead_us - t.starts * s.interval_us,
          case when f.full then 0 else s.free end + t.starts, t.starts, s.with_places
        )::tasker.limit_states
        from unnest(tasker.limit_states_of(
          array(select s.limit_no from unnest(p_states) as s), array(select s.limit_key from unnest(p_states) as s), p_limit, p_now
        )) as s
       cross join lateral (select format('%s %s', s.limit_no, s.limit_key) = any (v_full) as full) as f
       cross join lateral (
         select count(*)::integer as starts from unnest(v_taken) as t where t.limit_no = s.limit_no and t.limit_key = s.limit_key
       ) as t
    ),
    p_now
  );
  return v_taken;
end;
$$;

comment on function tasker.take_place_rows is
$$Takes at most p_limit steps from the lines of keys that the caller holds, and writes when the lines are due again. Takes the steps one after the other, because each step may need several places and other limits. If the next step of a key needs more places than are free, the call takes no further step of this key, and its line is closed until a place is free.$$;
