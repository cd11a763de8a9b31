create or replace function tasker.fails_at_end(p_task_uuid uuid)
  returns boolean
  language plpgsql
  stable
as $$
begin
  return cardinality(tasker.taken_failures(p_task_uuid)) > 0;
end;
$$;

comment on function tasker.fails_at_end is
$$Door: no step of a task can move any longer, and the template says on_failure: fail. Returns true if a step failed and another step waited for that failure. Then the task fails although that other step has handled the failure.$$;
