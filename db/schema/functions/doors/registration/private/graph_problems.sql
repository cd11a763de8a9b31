create or replace function tasker.graph_problems(p_template jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
as $$
begin
  if jsonb_path_exists(p_template, '$.steps[*] ? (exists (@.dependencies[*].on) || @.join == "first")') then
    return query select p.* from tasker.branch_problems(p_template) as p;
  end if;
end;
$$;

comment on function tasker.graph_problems is
$$Door: returns the problems that features find in the graph of a template. The template has the right shape.$$;
