create or replace function tasker.validate_task_template(p_template jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Each check relies on the previous check.
  return query select p.* from tasker.template_shape_problems(p_template) as p;
  if found then
    return;
  end if;
  return query select p.* from tasker.template_reference_problems(p_template) as p;
  if found then
    return;
  end if;
  return query select p.* from tasker.template_cycle_problems(p_template) as p;
end;
$$;

comment on function tasker.validate_task_template is
$$Returns the problems of a template, in the order of their places in the template. Returns at most twenty problems, each with its place and a hint, and no row if the template can be registered.

Checks the shape first (unknown and missing fields, kinds, bounds), then names and dependencies, then cycles. Does not read registered templates.$$;

grant execute on function tasker.validate_task_template
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
