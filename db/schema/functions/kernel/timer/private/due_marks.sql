create or replace function tasker.due_marks(p_namespaces text[], p_orchestrator boolean, p_now timestamptz)
  returns timestamptz[]
  language plpgsql
  stable
as $$
declare
  v_kept text[] := string_to_array(current_setting('tasker.due_marks', true), ' ');
begin
  if v_kept[1] = tasker.due_marks_key(p_namespaces, p_orchestrator)
     and to_timestamp(v_kept[2]::float8) between p_now - interval '10 seconds' and p_now then
    return array[
      to_timestamp(v_kept[2]::float8), to_timestamp(v_kept[3]::float8), to_timestamp(v_kept[4]::float8), to_timestamp(v_kept[5]::float8)
    ];
  end if;
  return '{}';
end;
$$;

comment on function tasker.due_marks is
$$Returns the marks that tasker.keep_due_marks kept in this session for the same namespaces. The marks are the time when all rows were last read from the beginning, and the times from which timers, leases and ready steps have to be read. Returns an empty array if all rows were last read more than ten seconds ago.$$;
