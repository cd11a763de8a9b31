create or replace function tasker.template_step_problems(p_template jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
as $$
declare
  v_places jsonb := tasker.step_places(p_template -> 'steps');
begin
  return query
  with steps (no, name, value) as materialized (
    select e.no, e.value ->> 'name', e.value
      from jsonb_array_elements(p_template -> 'steps') with ordinality as e (value, no)
  ),
  found (no, path, problem, hint) as (
    select
      s.no, 'name', format('"%s" is the name of steps[%s] already', s.name, (v_places ->> s.name)::bigint - 1), null
    from steps as s
    where (v_places ->> s.name)::bigint < s.no
    union all
    select
      s.no, 'retry.multiplier', 'has no meaning with a constant backoff', null
    from steps as s
    where s.value #>> '{retry,backoff}' = 'constant'
      and s.value #>> '{retry,multiplier}' <> '1'
    union all
    select s.no, w.path, w.problem, w.hint
      from steps as s
     cross join lateral tasker.step_problems(s.value) as w
  )
  select format('steps[%s]', f.no - 1) || coalesce('.' || f.path, ''), f.problem, f.hint
    from found as f
   order by f.no, f.problem
   limit 20;
end;
$$;

comment on function tasker.template_step_problems is
$$Returns duplicate names in a template that has the right shape, and fields of its steps that exclude each other: the first twenty problems, in the order of the template.$$;
