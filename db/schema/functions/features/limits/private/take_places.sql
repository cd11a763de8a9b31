create or replace function tasker.take_places(p_row tasker.step_queue, p_until timestamptz, p_now timestamptz)
  returns text
  language plpgsql
as $$
declare
  v_limits integer[];
  v_keys   text[];
  v_units  integer[];
  v_states tasker.limit_states[];
  v_full   tasker.limit_states;
begin
  perform
     from tasker.step_queue as q
    where q.task_uuid = p_row.task_uuid
      and q.step_no = p_row.step_no
      and q.lane = 'limited'
      and q.limit_no = p_row.limit_no
      for update skip locked;
  if not found then
    return 'busy';
  end if;
  select array_agg(n.limit_no), array_agg(n.limit_key), array_agg(n.units)
    into v_limits, v_keys, v_units
    from (
      select p_row.limit_no, p_row.limit_key, 1 as units
       where not exists (
         select from tasker.limit_places as h where h.task_uuid = p_row.task_uuid and h.step_no = p_row.step_no offset 0
       )
      union all
      (
        select h.limit_no, h.limit_key, h.units
          from tasker.limit_places as h
         where h.task_uuid = p_row.task_uuid
           and h.step_no = p_row.step_no
         order by h.limit_no <> p_row.limit_no, h.limit_no
      )
    ) as n;
  if not tasker.try_limit_keys(v_limits, v_keys) then
    return 'busy';
  end if;

  -- This statement comes after the locks, so that it counts all rows that were committed before.
  v_states := tasker.limit_states_of(v_limits, v_keys, 1000000, p_now);
  select s.*
    into v_full
    from unnest(v_states) as s
   where s.concurrency - s.running < least(v_units[s.place], greatest(s.concurrency, 1))
      or s.burst * s.interval_us < s.ahead_us + s.interval_us
   order by s.place
   limit 1;
  if v_full.place = 1 then
    return case when v_full.concurrency - v_full.running < least(v_units[1], greatest(v_full.concurrency, 1)) then 'full' else 'early' end;
  elsif found then
    perform tasker.change_line(p_row, v_full.limit_no, v_full.limit_key, p_now);
    return 'moved';
  end if;

  update tasker.step_queue as q
     set visible_at = p_until,
         lane       = 'running',
         claim_no   = tasker.next_claim_no(q.claim_no)
   where q.task_uuid = p_row.task_uuid
     and q.step_no = p_row.step_no;
  update tasker.limit_places as h
     set held_units = h.units - (h.limit_no = p_row.limit_no)::integer
   where h.task_uuid = p_row.task_uuid
     and h.step_no = p_row.step_no;
  update tasker.limit_keys as k
     set paid_until = p_now + make_interval(secs => (s.ahead_us + s.interval_us) / 1000000.0)
    from unnest(v_states) as s
   where k.limit_no = any (array[s.limit_no])
     and k.limit_key = any (array[s.limit_key])
     and s.interval_us is not null;
  return 'taken';
end;
$$;

comment on function tasker.take_places is
$$Takes a step that waits in the line of a key which the caller holds, if all limits of the step have room for it. Locks the step's queue row and the rows of its other keys, marks the queue row as running under its next claim number, hides it until p_until, and charges the rates. Returns 'taken' in this case, and otherwise changes no rate. Returns 'busy' if another transaction holds one of the rows, 'full' if the key has too few free places, and 'early' if the key's rate allows no start. Returns 'moved' if another limit of the step has no room; the step then waits in the line of that limit. Waits for no lock.

If a step needs more units than a limit has, it runs when no other step of the key runs.$$;
