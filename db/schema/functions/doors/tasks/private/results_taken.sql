create or replace function tasker.results_taken(p_task_uuid uuid)
  returns void
  language plpgsql
as $$
declare
  v_ok text; -- an assignment, unlike PERFORM, starts no executor
begin
  v_ok := tasker.taken_attributes(p_task_uuid);
end;
$$;

comment on function tasker.results_taken is
$$Door: a new task has taken over results of another task's steps (fork_task), without a move of its own steps.$$;
