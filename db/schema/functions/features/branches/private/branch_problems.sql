create or replace function tasker.branch_problems(p_template jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_steps  jsonb := p_template -> 'steps';
  v_places jsonb := tasker.step_places(v_steps);
begin
  return query
  with steps (no, value, count) as materialized (
    select s.no, s.value, coalesce(jsonb_array_length(nullif(s.value -> 'dependencies', 'null')), 0)
      from jsonb_array_elements(v_steps) with ordinality as s (value, no)
  ),
  edges (no, place, child, step, parent, condition, outcome) as materialized (
    select s.no, d.place, s.value, d.value ->> 'step', v_steps -> ((v_places ->> (d.value ->> 'step'))::integer - 1),
           d.value ->> 'when', d.value ->> 'on'
      from steps as s
     cross join jsonb_array_elements(nullif(s.value -> 'dependencies', 'null')) with ordinality as d (value, place)
     where d.value ->> 'on' in ('failed', 'ended')
  ),
  found (no, path, problem, hint) as (
    select e.no, format('dependencies[%s].when', e.place - 1), format('has no meaning with on: %s', e.outcome),
           'A failed step has no result that a condition could be about. Let a step with the condition depend on this one.'
      from edges as e
     where e.condition is not null
    union all
    select e.no, format('dependencies[%s].on', e.place - 1),
           format('"%s" is a map without allow_failures, which never fails: its failed instances wait for an operator', e.step),
           'Add allow_failures to the map; with 0 the first failure fails it.'
      from edges as e
     where coalesce(jsonb_typeof(e.parent -> 'for_each'), 'null') <> 'null'
       and coalesce(jsonb_typeof(e.parent -> 'allow_failures'), 'null') = 'null'
    union all
    select e.no, format('dependencies[%s].on', e.place - 1), 'a map cannot wait for a failure',
           'Let a step wait for the failure, and the map for that step.'
      from edges as e
     where coalesce(jsonb_typeof(e.child -> 'for_each'), 'null') <> 'null'
    union all
    select e.no, format('dependencies[%s].on', e.place - 1), format('task.context reads the result of "%s", which a failed step does not have', e.step),
           'Depend on its success, or read the result of another step.'
      from edges as e
     where jsonb_path_exists(e.child #> '{task,context}', '$.** ? (@.step == $step)', jsonb_build_object('step', e.step))
    union all
    select e.no, 'initialization.failures', 'is taken: a step that waits for a failure finds the errors there', 'Give the field another name.'
      from edges as e
     where e.child #> '{initialization}' ? 'failures'
    union all
    select s.no, 'join', 'first needs two dependencies or more', 'With one dependency it is the same as all.'
      from steps as s
     where s.value ->> 'join' = 'first'
       and s.count < 2
    union all
    select s.no, 'join', 'a map cannot start with the first of its dependencies',
           'Let a step join them, and the map run over its result.'
      from steps as s
     where s.value ->> 'join' = 'first'
       and coalesce(jsonb_typeof(s.value -> 'for_each'), 'null') <> 'null'
  )
  select distinct format('steps[%s].%s', f.no - 1, f.path), f.problem, f.hint from found as f;
end;
$$;

comment on function tasker.branch_problems is
$$Returns the problems of a template's dependencies that wait for a failure: the dependency has a condition, the parent is a map that never fails, the child is a map, or the child reads the parent's result. Also returns the problems of steps with join: first.$$;
