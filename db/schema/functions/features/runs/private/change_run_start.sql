create or replace function tasker.change_run_start(p_task_uuid uuid, p_start_at timestamptz)
  returns boolean
  language plpgsql
as $$
begin
  update tasker.runs as r
     set line_at = p_start_at
   where r.task_uuid = p_task_uuid
     and r.state = 'waiting';
  if not found then
    return false;
  end if;
  -- The note is due at once, because another task may now be the newest task in line. tasker.fire_runs then writes a note
  -- for the later start.
  perform tasker.note_runs(array[p_task_uuid], tasker.clock());
  return true;
end;
$$;

comment on function tasker.change_run_start is
$$Changes the time from which on a waiting task counts in the line of its key. Returns false if the task waits in no line. The caller holds the task's lock.$$;
