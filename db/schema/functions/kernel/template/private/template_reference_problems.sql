create or replace function tasker.template_reference_problems(p_template jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select 'steps', format(
      '%s steps, of which %s have a compensation, are more than the 65535 steps that a task may have',
      jsonb_array_length(p_template -> 'steps'), count(*)
    ), 'A step with a compensation counts twice: what it does and what undoes it.'
    from jsonb_array_elements(p_template -> 'steps') as e (value)
   where e.value ->> 'compensate' is not null
     and coalesce(jsonb_typeof(e.value -> 'for_each'), 'null') = 'null'
  having jsonb_array_length(p_template -> 'steps') + count(*) > 65535;

  if p_template ?| '{input_schema,encrypted,start_on,cancel_on,runs,attributes}' then
    return query select p.* from tasker.template_field_problems(p_template) as p;
  end if;
  return query
  select f.path, f.problem, f.hint
    from (
      select p.* from tasker.template_step_problems(p_template) as p
      union all
      select p.* from tasker.template_dependency_problems(p_template) as p
      union all
      select p.* from tasker.graph_problems(p_template) as p
    ) as f
   cross join lateral (
     select regexp_match(f.path, '^steps\[(\d+)\](?:\.dependencies\[(\d+)\])?')::integer[] as place
   ) as x
   order by x.place[1], x.place[2] nulls first, f.problem
   limit 20;
end;
$$;

comment on function tasker.template_reference_problems is
$$Returns the wrong references between the parts of a template that has the right shape: the first twenty problems, in the order of the template.$$;
