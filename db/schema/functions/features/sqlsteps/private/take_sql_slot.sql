create or replace function tasker.take_sql_slot(p_namespaces text[], p_timed boolean, p_slot_no integer default null)
  returns tasker.sql_slots
  language plpgsql
as $$
declare
  v_now     timestamptz := tasker.write_clock();
  v_allowed bigint      := extract(epoch from current_setting('statement_timeout')::interval) * 1000;
  v_slot    tasker.sql_slots;
begin
  select s.*
    into v_slot
    from tasker.sql_attempts as a
    join tasker.sql_slots as s
      on s.slot_no = a.slot_no
   where a.namespace = any (p_namespaces)
     and (p_slot_no is null or s.slot_no = p_slot_no)
     and a.due_at <= v_now
     -- Without p_timed the statement already runs, so it cannot be given a shorter time-out.
     and (p_timed or a.timeout_seconds is null or v_allowed between 1 and a.timeout_seconds::bigint * 1000)
   order by a.due_at
   limit 1
     for update of s skip locked;
  return v_slot;
end;
$$;

comment on function tasker.take_sql_slot is
$$Locks and returns the slot whose attempt has been due longest, or only the slot p_slot_no if it is given. Returns null if there is no such slot or it is locked. Without p_timed, skips attempts whose time-out is shorter than the statement_timeout.$$;
