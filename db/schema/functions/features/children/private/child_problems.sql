create or replace function tasker.child_problems(p_step jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_context jsonb := nullif(p_step #> '{task,context}', 'null'); -- null means the same as leaving it out
  -- The element of a map is among the inputs of its instances: $inputs.element and $inputs.index.
  v_mapped  boolean := coalesce(jsonb_typeof(p_step -> 'for_each'), 'null') <> 'null';
  v_parents text[];
begin
  if jsonb_typeof(p_step -> 'task') is distinct from 'object' then
    return;
  end if;

  return query
  select
    k.key, 'has no meaning for a step that starts a task',
    case k.key
      when 'timeout_seconds' then 'How long a step waits for its task at most is timeout, such as "3d".'
      when 'initialization' then 'What the task gets is task.context.'
      when 'limit' then 'How many of its tasks run at once for each key is bounded by runs in the template of the task.'
      else 'A step with task has no handler: no worker runs it.'
    end
  from jsonb_object_keys(jsonb_strip_nulls(p_step)) as k (key)
  where k.key in ('handler', 'timeout_seconds', 'priority', 'initialization', 'assignee', 'await', 'limit', 'limit_key', 'limit_units', 'limit_hold', 'limit_bound', 'limit_bound_max', 'limits', 'start_within')
  union all
  select 'on_timeout', 'has no meaning without a timeout', 'A timeout is a duration, such as "3d".'
   where p_step ->> 'on_timeout' is not null
     and p_step ->> 'timeout' is null;

  v_parents := array(
    select coalesce(d.value ->> 'step', d.value #>> '{}')
      from jsonb_array_elements(case when jsonb_typeof(p_step -> 'dependencies') = 'array' then p_step -> 'dependencies' end) as d (value)
  );
  return query
  select
    'task.context' || coalesce('.' || left(v.key, 100), ''), x.problem, x.hint
  from (
    select null as key, v_context as value where tasker.is_child_reference(v_context)
    union all
    select f.key, f.value
      from jsonb_each(case when not tasker.is_child_reference(v_context) then v_context end) as f
     where tasker.is_child_reference(f.value)
  ) as v
  cross join lateral (
    select case when jsonb_typeof(v.value) = 'string' then v.value #>> '{}' else v.value ->> 'path' end as path
  ) as p
  cross join lateral (
    select
      format('"%s" is not a dependency of this step', left(v.value ->> 'step', 128)) as problem,
      'A step reads the results of its own dependencies.' as hint
     where v.value ? 'step'
       and v.value ->> 'step' <> all (v_parents)
    union all
    select format('"%s" is not a jsonpath', left(p.path, 100)), e.error || ' For example: $.order.id.'
      from tasker.condition_error(case when v_mapped then regexp_replace(p.path, '\$inputs(?![a-zA-Z0-9_])', '$', 'g') else p.path end) as e (error)
     where e.error is not null
  ) as x
  order by 1;
end;
$$;

comment on function tasker.child_problems is
$$Returns the problems of the task that a well-formed step starts: fields without a meaning for such a step, invalid paths, and references to results of steps that are not dependencies.$$;
