create or replace function tasker.drop_run(p_task_uuid uuid)
  returns boolean
  language plpgsql
as $$
begin
  update tasker.runs as r
     set state = 'ended'
   where r.task_uuid = p_task_uuid
     and r.state = 'running'
     and exists (select from tasker.tasks as t where t.task_uuid = p_task_uuid and t.complete);
  if not found then
    return false;
  end if;
  perform tasker.note_runs(array[p_task_uuid], tasker.clock());
  return true;
end;
$$;

comment on function tasker.drop_run is
$$Takes the place away from a failed task that blocks its sequence, and writes a note that the next task may start. Returns false if the task has no place. The caller holds the task's lock.$$;
