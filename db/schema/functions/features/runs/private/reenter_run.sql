create or replace function tasker.reenter_run(p_task_uuid uuid)
  returns void
  language plpgsql
as $$
begin
  -- A failed task of a sequence still has its place.
  if exists (select from tasker.runs as r where r.task_uuid = p_task_uuid and r.state = 'running') then
    return;
  end if;
  perform tasker.enter_runs(array[p_task_uuid], tasker.clock());
  perform tasker.note_runs(array[p_task_uuid], tasker.clock());
end;
$$;

comment on function tasker.reenter_run is
$$Puts a task that had ended and is open again at the end of its key's line, unless the task still has its place. The caller holds the task's lock.$$;
