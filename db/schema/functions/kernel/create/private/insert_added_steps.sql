create or replace function tasker.insert_added_steps(p_task_uuid uuid, p_last integer, p_steps jsonb)
  returns void
  language plpgsql
as $$
declare
  v_namespace text    := tasker.namespace_of_task(p_task_uuid);
  v_attempts  integer := tasker.setting_integer('max_attempts');
begin
  insert into tasker.workflow_steps (
    task_uuid, step_no, workflow_step_uuid, named_step_uuid, name, join_mode, max_attempts, retryable, priority, timeout_seconds,
    backoff_base_seconds, backoff_multiplier, max_backoff_seconds, inputs, await, for_each, limit_no, limit_key, compensate_uuid, effects
  )
  select
    p_task_uuid,
    p_last + e.no,
    tasker.step_uuid(p_task_uuid, p_last + e.no::integer),
    h.named_step_uuid,
    e.value ->> 'name',
    e.value ->> 'join',
    coalesce((e.value #>> '{retry,max_attempts}')::integer, case when e.value ? 'await' or e.value ? 'task' and not e.value ? 'retry' then 1 end, v_attempts),
    coalesce((e.value #>> '{retry,retryable}')::boolean, false),
    coalesce((e.value ->> 'priority')::integer, 0) + t.priority,
    (e.value ->> 'timeout_seconds')::integer,
    (e.value #>> '{retry,base_seconds}')::numeric,
    case e.value #>> '{retry,backoff}' when 'constant' then 1 else (e.value #>> '{retry,multiplier}')::numeric end,
    (e.value #>> '{retry,max_seconds}')::integer,
    coalesce(e.value -> 'initialization', '{}'),
    tasker.await_of(e.value),
    tasker.for_each_of(e.value),
    l.limit_no,
    case when l.limit_no is not null then
      tasker.limit_key_of((e.value ->> 'limit_key')::jsonpath, t.context, coalesce(e.value -> 'initialization', '{}'))
    end,
    (select c.named_step_uuid from tasker.named_steps as c where c.name = e.value ->> 'compensate'),
    tasker.step_effects(e.value)
  from jsonb_array_elements(p_steps) with ordinality as e (value, no)
  join tasker.named_steps as h
    on h.name = tasker.handler_of(e.value)
  join tasker.tasks as t
    on t.task_uuid = p_task_uuid
  left join tasker.limits as l
    on l.name = e.value ->> 'limit'
   and l.namespace = v_namespace;
end;
$$;

comment on function tasker.insert_added_steps is
$$Inserts steps in normal form with numbers above p_last. The task has no steps of these names yet. The caller holds the task's lock and has inserted their handlers and limits.$$;
