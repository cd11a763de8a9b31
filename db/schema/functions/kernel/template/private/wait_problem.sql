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
$$Returns what is wrong with a wait of the right shape, null if nothing is: it is judged as a step that has nothing but await, timeout and assignee.$$;
