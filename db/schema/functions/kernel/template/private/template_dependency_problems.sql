create or replace function tasker.template_dependency_problems(p_template jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
as $$
declare
  v_places jsonb  := tasker.step_places(p_template -> 'steps');
  v_names  text[] := array(
    select e.value ->> 'name'
      from jsonb_array_elements(p_template -> 'steps') with ordinality as e (value, no)
     order by e.no
     limit 1000
  );
  v_errors jsonb  := tasker.condition_errors(p_template -> 'steps');
begin
  return query
  with dependencies (no, place, name, step, condition) as materialized (
    select s.no, e.place, s.value ->> 'name', coalesce(e.value ->> 'step', e.value #>> '{}'), e.value ->> 'when'
      from jsonb_array_elements(p_template -> 'steps') with ordinality as s (value, no)
     cross join jsonb_array_elements(nullif(s.value -> 'dependencies', 'null')) with ordinality as e (value, place)
  ),
  unknown (no, place, step, rank) as materialized (
    select d.no, d.place, left(d.step, 128), row_number() over (order by d.no, d.place)
      from dependencies as d
     where not v_places ? d.step
     order by d.no, d.place
     limit 20
  ),
  found (no, place, path, problem, hint) as (
    select
      u.no, u.place, '', format('there is no step "%s"', u.step),
      -- The search is costly, so it is made only for the problems that are reported first.
      case when u.rank <= 3 then 'Did you mean "' || tasker.nearest_name(u.step, v_names) || '"?' end
    from unknown as u
    union all
    select
      d.no, d.place, '', format('step "%s" depends on itself', d.name), null
    from dependencies as d
    where d.step = d.name
    union all
    select
      d.no, max(d.place), '', format('"%s" is named %s times', d.step, count(*)), null
    from dependencies as d
    group by d.no, d.step
    having count(*) > 1
    union all
    select
      d.no, d.place, '.when', format('"%s" is not a jsonpath predicate', left(d.condition, 100)),
      (v_errors ->> d.condition) || ' For example: $.approved == true, or $.amount > 100.'
    from dependencies as d
    where v_errors ? d.condition
  )
  select format('steps[%s].dependencies[%s]%s', f.no - 1, f.place - 1, f.path), f.problem, f.hint
    from found as f
   order by f.no, f.place, f.problem
   limit 20;
end;
$$;

comment on function tasker.template_dependency_problems is
$$Returns the invalid dependencies of a template that has the right shape: dependencies that are unknown, are named twice, lead to the step itself, or have a condition that is no predicate. Returns the first twenty problems, in the order of the template.$$;
