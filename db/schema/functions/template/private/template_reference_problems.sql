create or replace function tasker.template_reference_problems(p_template jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_names text[];
begin
  select array_agg(e.value ->> 'name' order by e.no)
    into v_names
    from jsonb_array_elements(p_template -> 'steps') with ordinality as e (value, no);

  return query
  select 'steps', format(
      '%s steps, of which %s have a compensation, are more than the 65535 steps that a task may have',
      jsonb_array_length(p_template -> 'steps'), count(*)
    ), 'A step with a compensation counts twice: what it does and what undoes it.'
    from jsonb_array_elements(p_template -> 'steps') as e (value)
   where e.value ->> 'compensate' is not null
     and coalesce(jsonb_typeof(e.value -> 'for_each'), 'null') = 'null'
  having jsonb_array_length(p_template -> 'steps') + count(*) > 65535;

  return query
  with steps (no, name, value) as materialized (
    select e.no, e.value ->> 'name', e.value
      from jsonb_array_elements(p_template -> 'steps') with ordinality as e (value, no)
  ),
  named (name, first_no) as materialized (
    select s.name, min(s.no) from steps as s group by s.name
  ),
  dependencies (no, place, name, step, condition) as materialized (
    select s.no, e.place, s.name, coalesce(e.value ->> 'step', e.value #>> '{}'), e.value ->> 'when'
      from steps as s
     cross join jsonb_array_elements(nullif(s.value -> 'dependencies', 'null')) with ordinality as e (value, place)
  ),
  conditions (condition, error) as materialized (
    select x.condition, tasker.condition_error(x.condition)
      from (select distinct d.condition from dependencies as d where d.condition is not null) as x
  ),
  unknown (no, place, problem, hint) as materialized (
    select
      d.no,
      d.place,
      format('there is no step "%s"', left(d.step, 128)),
      case when row_number() over (order by d.no, d.place) <= 3 then left(d.step, 128) end
    from dependencies as d
    where not exists (select from named as n where n.name = d.step)
    order by d.no, d.place
    limit 20
  ),
  found (no, place, path, problem, hint) as (
    select
      s.no, 0, 'name', format('"%s" is the name of steps[%s] already', s.name, n.first_no - 1), null
    from steps as s
    join named as n
      on n.name = s.name
     and n.first_no < s.no
    union all
    select
      s.no, 0, 'retry.multiplier', 'has no meaning with a constant backoff', null
    from steps as s
    where s.value #>> '{retry,backoff}' = 'constant'
      and s.value #>> '{retry,multiplier}' <> '1'
    union all
    select
      u.no, u.place, null, u.problem,
      case when u.hint is not null then 'Did you mean "' || tasker.nearest_name(u.hint, v_names[:1000]) || '"?' end
    from unknown as u
    union all
    select
      d.no, d.place, null, format('step "%s" depends on itself', d.name), null
    from dependencies as d
    where d.step = d.name
    union all
    select
      d.no, max(d.place), null, format('"%s" is named %s times', d.step, count(*)), null
    from dependencies as d
    group by d.no, d.step
    having count(*) > 1
    union all
    select
      d.no, d.place, 'when', format('"%s" is not a jsonpath predicate', left(d.condition, 100)),
      c.error || ' For example: $.approved == true, or $.amount > 100.'
    from dependencies as d
    join conditions as c
      on c.condition = d.condition
     and c.error is not null
    union all
    select
      s.no, 0, w.path, w.problem, w.hint
    from steps as s
    cross join lateral tasker.await_problems(s.value) as w
    union all
    select
      s.no, 0, w.path, w.problem, w.hint
    from steps as s
    cross join lateral tasker.child_problems(s.value) as w
    union all
    select
      s.no, 0, w.path, w.problem, w.hint
    from steps as s
    cross join lateral tasker.map_problems(s.value) as w
    where s.value ?| '{for_each,max_parallel,allow_failures}'
    union all
    select
      s.no, 0, w.path, w.problem, w.hint
    from steps as s
    cross join lateral tasker.limit_problems(s.value) as w
    where s.value ? 'limit_key'
  )
  select
    format('steps[%s]', f.no - 1)
      || case when f.place > 0 then format('.dependencies[%s]', f.place - 1) else '' end
      || coalesce('.' || f.path, ''),
    f.problem,
    f.hint
  from found as f
  order by f.no, f.place, f.problem
  limit 20;
end;
$$;

comment on function tasker.template_reference_problems(jsonb) is
$$Returns the wrong references between the parts of a template of the right shape: the first twenty problems, in the template's order.$$;

revoke all on function tasker.template_reference_problems(jsonb) from public;
