create or replace function tasker.wait_problem(p_wait jsonb)
  returns text
  language plpgsql
  stable
as $$
begin
  return (select concat_ws(' ', p.path, p.problem) from tasker.step_problems(p_wait) as p limit 1);
end;
$$;

comment on function tasker.wait_problem is
$$Returns the problem of a wait that has the right shape, or null. The wait is checked as a step that has only the fields "await", "timeout" and "assignee".$$;
