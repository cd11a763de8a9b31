create or replace function tasker.insert_template_steps(p_named_task_uuid uuid, p_template jsonb)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_wide    boolean   := jsonb_array_length(p_template -> 'steps') >= 1000;
  v_places  jsonb     := tasker.step_places(p_template -> 'steps');
  v_numbers integer[] := tasker.template_step_numbers(p_named_task_uuid, p_template);
begin
  perform tasker.insert_handlers(p_template -> 'steps');
  perform tasker.register_steps(p_template ->> 'namespace', p_template -> 'steps');

  -- This is a second statement, because it must see the handlers that another session inserted in the meantime.
  insert into tasker.named_tasks_named_steps (
    named_task_uuid, step_no, step_name, named_step_uuid, retryable, max_attempts, backoff_base_seconds,
    backoff_multiplier, max_backoff_seconds, timeout_seconds, priority, join_mode, total_parents, initialization, await,
    for_each, limit_no, limit_key, limit_needs, start_within, compensate_uuid, effects
  )
  select
    p_named_task_uuid,
    v_numbers[e.no],
    e.value ->> 'name',
    h.named_step_uuid,
    coalesce((e.value #>> '{retry,retryable}')::boolean, false),
    coalesce((e.value #>> '{retry,max_attempts}')::integer, case when e.value ? 'await' or e.value ? 'task' and not e.value ? 'retry' then 1 end, m.max_attempts),
    (e.value #>> '{retry,base_seconds}')::numeric,
    case e.value #>> '{retry,backoff}'
      when 'constant' then 1
      else (e.value #>> '{retry,multiplier}')::numeric
    end,
    (e.value #>> '{retry,max_seconds}')::integer,
    (e.value ->> 'timeout_seconds')::integer,
    coalesce((e.value ->> 'priority')::integer, 0),
    e.value ->> 'join',
    jsonb_array_length(e.value -> 'dependencies'),
    coalesce(e.value -> 'initialization', '{}'),
    tasker.await_of(e.value),
    tasker.for_each_of(e.value),
    (select l.limit_no from tasker.limits as l where l.namespace = p_template ->> 'namespace' and l.name = e.value ->> 'limit'),
    (e.value ->> 'limit_key')::jsonpath,
    tasker.limit_needs_of(e.value),
    (e.value ->> 'start_within')::numeric,
    (select c.named_step_uuid from tasker.named_steps as c where c.name = e.value ->> 'compensate'),
    tasker.step_effects(e.value)
  from jsonb_array_elements(p_template -> 'steps') with ordinality as e (value, no)
  join tasker.named_steps as h
    on h.name = tasker.handler_of(e.value)
  cross join (select tasker.setting_integer('max_attempts') as max_attempts) as m;

  -- With the statistics of small templates, the planner gives all indexes the same cost. Until autovacuum runs, foreign
  -- key checks and the engine's queries could then use the wrong index and read the whole template.
  if v_wide then
    analyze tasker.named_tasks_named_steps;
  end if;

  -- Take step numbers from the template, because a query on the table would depend on the table's statistics.
  insert into tasker.named_task_edges (named_task_uuid, from_step_no, to_step_no, condition, outcome)
  select
    p_named_task_uuid,
    v_numbers[(v_places ->> coalesce(d.value ->> 'step', d.value #>> '{}'))::integer],
    v_numbers[e.no],
    (d.value ->> 'when')::jsonpath,
    d.value ->> 'on'
  from jsonb_array_elements(p_template -> 'steps') with ordinality as e (value, no)
  cross join jsonb_array_elements(e.value -> 'dependencies') as d (value);
  if v_wide then
    analyze tasker.named_task_edges;
  end if;
  if jsonb_path_exists(p_template, '$.steps[*].dependencies[*].on') then
    perform tasker.steps_registered(p_named_task_uuid);
  end if;
  if p_template ?| '{encrypted,start_on,cancel_on,attributes}' then
    perform tasker.version_registered(p_named_task_uuid, p_template);
  end if;
end;
$$;

comment on function tasker.insert_template_steps is
$$Inserts the steps, handlers and edges of a template in normal form, and the rows that features keep for their own fields. Analyzes the tables if the template has many steps. The caller has just inserted the template itself.$$;
