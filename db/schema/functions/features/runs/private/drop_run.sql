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
$$Takes the place of its key from a task that has failed and holds up its sequence, and notes that the next task may start. False if it has none. The caller holds its lock.$$;
