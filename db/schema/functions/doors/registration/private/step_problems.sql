create or replace function tasker.step_problems(p_step jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
as $$
begin
  return query select p.* from tasker.await_problems(p_step) as p;
  return query select p.* from tasker.child_problems(p_step) as p;
  if p_step ?| '{for_each,max_parallel,allow_failures}' then
    return query select p.* from tasker.map_problems(p_step) as p;
  end if;
  if p_step ? 'sql' or starts_with(p_step ->> 'handler', 'sql:') or starts_with(p_step ->> 'compensate', 'sql:') then
    return query select p.* from tasker.sql_problems(p_step) as p;
  end if;
  if p_step ?| '{limit_key,limit_units,limit_hold,limit_bound,limit_bound_max,limits}' then
    return query select p.* from tasker.limit_problems(p_step) as p;
  end if;
end;
$$;

comment on function tasker.step_problems is
$$Door: returns the problems that features find in a step of a template.$$;
