create or replace function tasker.insert_added_steps(p_task_uuid uuid, p_steps jsonb)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_last  integer;
  v_added integer;
begin
  select max(s.step_no) into v_last from tasker.workflow_steps as s where s.task_uuid = p_task_uuid;
  v_last := coalesce(v_last, 0);

  insert into tasker.workflow_steps (
    task_uuid, step_no, workflow_step_uuid, named_step_uuid, name, join_mode, max_attempts, retryable, priority, timeout_seconds,
    backoff_base_seconds, backoff_multiplier, max_backoff_seconds, inputs, await, for_each, limit_no, limit_key, compensate_uuid
  )
  select
    p_task_uuid,
    v_last + e.number,
    tasker.step_uuid(p_task_uuid, v_last + e.number),
    h.named_step_uuid,
    e.value ->> 'name',
    e.value ->> 'join',
    coalesce((e.value #>> '{retry,max_attempts}')::integer, case when e.value ? 'await' or e.value ? 'task' and not e.value ? 'retry' then 1 end, m.max_attempts),
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
    (select c.named_step_uuid from tasker.named_steps as c where c.name = e.value ->> 'compensate')
  from (
    select a.value, (row_number() over (order by a.no))::integer as number
    from jsonb_array_elements(p_steps) with ordinality as a (value, no)
    where not exists (
      select
        from tasker.workflow_steps as s
       where s.task_uuid = p_task_uuid
         and s.name = a.value ->> 'name'
    )
  ) as e
  join tasker.named_steps as h
    on h.name = tasker.handler_of(e.value)
  join tasker.tasks as t
    on t.task_uuid = p_task_uuid
  left join tasker.limits as l
    on l.name = e.value ->> 'limit'
   and l.namespace = tasker.namespace_of_task(p_task_uuid)
  cross join (select tasker.setting_integer('max_attempts') as max_attempts) as m;
  get diagnostics v_added = row_count;

  insert into tasker.added_step_edges (task_uuid, from_step_no, to_step_no, condition)
  select
    p_task_uuid,
    p.step_no,
    s.step_no,
    (d.value ->> 'when')::jsonpath
  from jsonb_array_elements(p_steps) as e (value)
  join tasker.workflow_steps as s
    on s.task_uuid = p_task_uuid
   and s.name = e.value ->> 'name'
   and s.step_no > v_last
  cross join jsonb_array_elements(e.value -> 'dependencies') as d (value)
  join tasker.workflow_steps as p
    on p.task_uuid = p_task_uuid
   and p.name = coalesce(d.value ->> 'step', d.value #>> '{}');

  -- Parents that have already settled count as settled.
  update tasker.workflow_steps as s
     set total_parents     = x.total,
         pending_parents   = x.pending,
         satisfied_parents = x.satisfied
    from (
      select
        e.to_step_no,
        count(*)::integer as total,
        count(*) filter (where not d.settles_dependencies)::integer as pending,
        count(*) filter (
          where d.satisfies_dependencies and tasker.condition_holds(e.condition, tasker.edge_result(e.condition, p.results, p.expansion, p.task_uuid, p.step_no))
        )::integer as satisfied
      from tasker.added_step_edges as e
      join tasker.workflow_steps as p
        on p.task_uuid = e.task_uuid
       and p.step_no = e.from_step_no
      join tasker.step_states as d
        on d.state = p.state
      where e.task_uuid = p_task_uuid
        and e.to_step_no > v_last
      group by e.to_step_no
    ) as x
   where s.task_uuid = p_task_uuid
     and s.step_no = x.to_step_no;
  return v_added;
end;
$$;

comment on function tasker.insert_added_steps(uuid, jsonb) is
$$Inserts the steps, in normal form, whose names are new to the task, with their edges, and returns how many. The caller holds the task's lock.$$;

revoke all on function tasker.insert_added_steps(uuid, jsonb) from public;
