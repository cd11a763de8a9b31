create or replace function tasker.get_step_wait(p_step_uuid uuid)
  returns setof tasker.wait_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  perform tasker.check_bound(p_step_uuid);
  perform tasker.check_step_exists(p_step_uuid);
  return query
  select
    s.workflow_step_uuid, s.task_uuid, s.step_no, n.name, k.name, k.version, s.name,
    (
      select e.value ->> 'description'
        from jsonb_array_elements(k.configuration -> 'steps') as e (value)
       where e.value ->> 'name' = s.name
       limit 1
    ),
    tasker.wait_since(s.wait, s.moved_at), m.due_at, coalesce(s.wait ->> 'on_timeout', 'complete'), s.wait ->> 'assignee',
    array(
      select distinct a.value ->> 'signal' as signal
        from jsonb_array_elements(s.wait -> 'any') as a (value)
       where a.value ? 'signal'
       order by signal
    ),
    s.wait -> 'any', t.tags, t.initiator,
    array(
      select a.value ->> 'event'
        from jsonb_array_elements(s.wait -> 'any') with ordinality as a (value, no)
       where a.value ? 'event'
         and tasker.event_key(a.value ->> 'key', t.context) is not null
       order by a.no
    ),
    array(
      select tasker.event_key(a.value ->> 'key', t.context)
        from jsonb_array_elements(s.wait -> 'any') with ordinality as a (value, no)
       where a.value ? 'event'
         and tasker.event_key(a.value ->> 'key', t.context) is not null
       order by a.no
    )
  from (
    select s.task_uuid, s.step_no, s.workflow_step_uuid, s.name, s.moved_at, tasker.step_wait(s.await, s.wait, s.claim_no) as wait
      from tasker.workflow_steps as s
     where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
       and s.step_no = tasker.step_no_of(p_step_uuid)
       and s.state = 'suspended'
    offset 0
  ) as s
  join tasker.tasks as t
    on t.task_uuid = s.task_uuid
  join tasker.named_tasks as k
    on k.named_task_uuid = t.named_task_uuid
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = k.task_namespace_uuid
  left join lateral (
    select m.due_at
      from tasker.timers as m
     where m.task_uuid = s.task_uuid
       and m.step_no = s.step_no
       and m.kind = 'end_wait'
    offset 0
  ) as m
    on true
  where s.wait ? 'any';
end;
$$;

comment on function tasker.get_step_wait is
$$Returns the wait of a suspended step as one row, with signals, events and times. The wait is the field await of the step
in its template, or the wait that the step's durable function asked for. A step whose function has changed waits for the
signal "$diverged", which is never sent. Returns no row if the step does not wait, or waits only for its child task.

Raises TK404 if there is no such step, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_step_wait
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
