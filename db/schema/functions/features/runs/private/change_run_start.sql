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
  -- At once, since another task may now be the newest one in line. The note of a later start follows (tasker.fire_runs).
  perform tasker.note_runs(array[p_task_uuid], tasker.clock());
  return true;
end;
$$;

comment on function tasker.change_run_start is
$$Puts a waiting task into the line of its key from another time on. Returns false if the task waits in no line. The caller holds its lock.$$;
