create or replace function tasker.task_reopened(p_task_uuid uuid)
  returns void
  language plpgsql
as $$
declare
  v_ok text; -- an assignment, unlike PERFORM, starts no executor
begin
  v_ok := tasker.reenter_run(p_task_uuid);
end;
$$;

comment on function tasker.task_reopened is
$$Door: a task that had ended is open again, and its template limits how many tasks run. The caller holds the task's lock.$$;
