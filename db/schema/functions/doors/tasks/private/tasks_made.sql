create or replace function tasker.tasks_made(p_task_uuids uuid[], p_start_at timestamptz)
  returns void
  language plpgsql
as $$
declare
  v_ok text; -- an assignment, unlike PERFORM, starts no executor
begin
  v_ok := tasker.begin_runs(p_task_uuids, p_start_at);
end;
$$;

comment on function tasker.tasks_made is
$$Door: tasks have been inserted and have not started, and their template limits how many tasks run. They start at p_start_at at the earliest.$$;
