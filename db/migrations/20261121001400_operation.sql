-- operation: discovery, stale tasks and the dead-letter queue, analytics, maintenance
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/rows/compat/orchestrator/ready_tasks.sql
create or replace view tasker.ready_tasks as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as task_name,
  0::integer as priority,
  ''::text as namespace_name,
  0::bigint as ready_steps_count,
  0::numeric as computed_priority,
  'pending'::tasker.task_state as current_state
where false;

comment on view tasker.ready_tasks is
  'Row type: a task for an orchestrator.';
comment on column tasker.ready_tasks.ready_steps_count is
  'The number of steps that may be enqueued now, as their counters show. Steps that are already enqueued do not count.';
comment on column tasker.ready_tasks.computed_priority is
  'The current result of tasker.computed_task_priority.';
-- <<<

-- >>> db/schema/functions/operate/dead_letters/private/staleness_threshold.sql
create or replace function tasker.staleness_threshold(
  p_state                     tasker.task_state,
  p_waiting_for_dependencies  integer,
  p_waiting_for_retry         integer,
  p_steps_in_process          integer,
  p_other                     integer
)
  returns integer
  language sql
  stable
  parallel safe
begin atomic
  select case p_state
    when 'waiting_for_dependencies'
      then coalesce(p_waiting_for_dependencies, tasker.setting_integer('stale_waiting_for_dependencies_minutes'))
    when 'waiting_for_retry'
      then coalesce(p_waiting_for_retry, tasker.setting_integer('stale_waiting_for_retry_minutes'))
    when 'steps_in_process'
      then coalesce(p_steps_in_process, tasker.setting_integer('stale_steps_in_process_minutes'))
    when 'complete' then null
    when 'error' then null
    when 'cancelled' then null
    when 'resolved_manually' then null
    else coalesce(p_other, tasker.setting_integer('stale_other_minutes'))
  end;
end;

comment on function tasker.staleness_threshold is
$$Returns after how many minutes without progress a task in this state is stale. The argument for the state decides,
otherwise the setting. Returns null for a task that has ended.$$;
-- <<<

-- >>> db/schema/functions/operate/inspect/private/task_readiness.sql
create or replace function tasker.task_readiness()
  returns setof tasker.ready_tasks
  language sql
  stable
  parallel safe
begin atomic
  select
    t.task_uuid,
    k.name as task_name,
    t.priority,
    n.name as namespace_name,
    s.ready as ready_steps_count,
    tasker.computed_task_priority(
      t.priority, n.priority_modifier, coalesce(w.waiting_since, m.due_at, t.requested_at),
      s.retries, t.requested_at, t.deadline
    ) as computed_priority,
    t.state as current_state
  from tasker.tasks as t
  join tasker.named_tasks as k
    on k.named_task_uuid = t.named_task_uuid
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = k.task_namespace_uuid
  left join tasker.waiting_tasks as w
    on w.task_uuid = t.task_uuid
  cross join lateral (
    select
      min(m.due_at) filter (where m.due_at <= tasker.clock()) as due_at,
      max(m.due_at) filter (where m.kind = 'start_task') as starts_at
    from tasker.timers as m
    where m.task_uuid = t.task_uuid
      and m.kind <> 'task_deadline'
  ) as m
  cross join lateral (
    -- Use the engine's counters, because deriving readiness from the parents costs ten times as much. A property test
    -- checks that both give the same result.
    select
      count(*) filter (
        where tasker.blocking_reason(
          s.state,
          tasker.join_holds(s.join_mode, s.total_parents, s.pending_parents, s.satisfied_parents),
          tasker.may_be_tried(s.state, s.retryable, s.attempts, s.max_attempts),
          s.next_retry_at,
          tasker.task_blocking_reason(t.complete, k.on_failure, t.failed_steps, m.starts_at, n.paused_at)
        ) is null
      ) as ready,
      coalesce(sum(greatest(s.attempts - 1, 0) + (s.state = 'waiting_for_retry')::integer), 0) as retries
    from tasker.workflow_steps as s
    where s.task_uuid = t.task_uuid
  ) as s;
end;

comment on function tasker.task_readiness is
$$Returns the readiness of all tasks. Inlined into the statements of its only callers, the discovery functions, which
select the tasks.$$;
-- <<<

-- >>> db/schema/functions/compat/orchestrator/private/find_due_tasks.sql
create or replace function tasker.find_due_tasks(p_limit integer, p_seen uuid[])
  returns uuid[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_uuids uuid[];
begin
  select array_agg(distinct d.task_uuid)
    into v_uuids
    from (
      select m.task_uuid
        from tasker.timers as m
        join tasker.tasks as t
          on t.task_uuid = m.task_uuid
       where m.due_at <= tasker.clock()
         and m.kind <> 'task_deadline'
         and m.task_uuid <> all (p_seen)
         and not t.complete
         and not exists (select from tasker.waiting_tasks as w where w.task_uuid = m.task_uuid)
         and not exists (
           select
             from tasker.timers as d
            where d.task_uuid = m.task_uuid
              and d.step_no = 0
              and d.kind = 'advance_task'
              and d.due_at > tasker.clock()
         )
       order by m.due_at
       limit p_limit
    ) as d;
  return coalesce(v_uuids, '{}');
end;
$$;

comment on function tasker.find_due_tasks is
$$Returns open tasks that a direct call has changed or whose start or retry is due. Finds the tasks that have been due
longest. Skips tasks in p_seen, tasks whose start is deferred, and tasks that another session has discovered.$$;
-- <<<

-- >>> db/schema/functions/compat/orchestrator/private/lock_undiscovered_tasks.sql
create or replace function tasker.lock_undiscovered_tasks(p_task_uuids uuid[])
  returns uuid[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_locked uuid[] := tasker.lock_tasks(p_task_uuids);
begin
  -- Check in a new statement, which sees whether another session discovered a task before this session locked it.
  return array(
    select t.task_uuid
      from unnest(v_locked) as u (task_uuid)
      join tasker.tasks as t
        on t.task_uuid = u.task_uuid
     where not t.complete
       and not exists (
         select
           from tasker.waiting_tasks as w
          where w.task_uuid = t.task_uuid
            and w.discovered_until > tasker.clock()
       )
       and not exists (
         select
           from tasker.timers as m
          where m.task_uuid = t.task_uuid
            and m.step_no = 0
            and m.kind = 'advance_task'
            and m.due_at > tasker.clock()
       )
  );
end;
$$;

comment on function tasker.lock_undiscovered_tasks is
$$Locks tasks and their timers. Returns the locked tasks that are open and that no other session has discovered. Skips tasks that other transactions hold.$$;
-- <<<

-- >>> db/schema/functions/compat/orchestrator/private/find_resting_tasks.sql
create or replace function tasker.find_resting_tasks(p_task_uuids uuid[])
  returns uuid[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_resting uuid[];
begin
  select array_agg(r.task_uuid)
    into v_resting
    from unnest(p_task_uuids) as u (task_uuid)
    join tasker.task_readiness() as r
      on r.task_uuid = u.task_uuid
    join tasker.tasks as t
      on t.task_uuid = u.task_uuid
    join tasker.named_tasks as k
      on k.named_task_uuid = t.named_task_uuid
   where r.ready_steps_count = 0
     and (
       exists (
         select
           from tasker.timers as m
          where m.task_uuid = u.task_uuid
            and m.kind = 'start_task'
            and m.due_at > tasker.clock()
       )
       or t.state in ('waiting_for_dependencies', 'waiting_for_retry', 'steps_in_process')
          and t.updated_at <= tasker.clock() - make_interval(mins => tasker.staleness_threshold(
            t.state,
            k.max_waiting_for_dependencies_minutes,
            k.max_waiting_for_retry_minutes,
            k.max_steps_in_process_minutes,
            null
          ))
     );
  return coalesce(v_resting, '{}');
end;
$$;

comment on function tasker.find_resting_tasks is
$$Returns the given tasks that no orchestrator can advance now. Such a task has no ready step, and either starts later or has been waiting or in process for so long that it is stale.$$;
-- <<<

-- >>> db/schema/functions/kernel/timer/private/rank_waiting_tasks.sql
create or replace function tasker.rank_waiting_tasks()
  returns bigint
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
  v_ranked bigint;
begin
  -- A change of less than a twentieth of a point is not worth a new version of the row.
  with changed as (
    update tasker.waiting_tasks as w
       set dispatch_rank = o.dispatch_rank
      from (
        select
          l.task_uuid,
          tasker.dispatch_rank(
            t.priority, n.priority_modifier, l.waiting_since, s.retries, t.requested_at, t.deadline
          ) as dispatch_rank
        from (
          select w.task_uuid, w.waiting_since
            from tasker.waiting_tasks as w
           order by w.task_uuid
             for update skip locked
        ) as l
        join tasker.tasks as t
          on t.task_uuid = l.task_uuid
        join tasker.named_tasks as k
          on k.named_task_uuid = t.named_task_uuid
        join tasker.task_namespaces as n
          on n.task_namespace_uuid = k.task_namespace_uuid
        cross join lateral (
          select coalesce(sum(greatest(s.attempts - 1, 0) + (s.state = 'waiting_for_retry')::integer), 0) as retries
            from tasker.workflow_steps as s
           where s.task_uuid = l.task_uuid
        ) as s
      ) as o
     where w.task_uuid = o.task_uuid
       and abs(w.dispatch_rank - o.dispatch_rank) > 0.05
    returning w.task_uuid
  )
  select count(*) into v_ranked from changed;
  return v_ranked;
end;
$$;

comment on function tasker.rank_waiting_tasks is
$$Updates the order of the waiting tasks for approaching deadlines, retries, and changed modifiers and factors. Returns how many rows it changed.

Maintenance calls this function. Skips rows that other transactions hold.$$;
-- <<<

-- >>> db/schema/functions/kernel/timer/private/task_is_held.sql
create or replace function tasker.task_is_held(p_task_uuid uuid)
  returns boolean
  language sql
  stable
begin atomic
  select exists (select from tasker.timers as h where h.task_uuid = p_task_uuid and h.step_no = 0 and h.kind = 'hold_task');
end;

comment on function tasker.task_is_held is
$$Returns whether a task is paused (tasker.pause_task).$$;
-- <<<

-- >>> db/schema/functions/compat/orchestrator/get_next_ready_tasks.sql
create or replace function tasker.get_next_ready_tasks(p_limit integer default null)
  returns setof tasker.ready_tasks
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_limit   integer := coalesce(p_limit, 5);
  v_now     timestamptz := tasker.clock();
  v_until   timestamptz := v_now + make_interval(secs => tasker.setting_integer('discovery_lease_seconds'));
  v_seen    uuid[] := '{}';
  v_next    uuid[];
  v_locked  uuid[];
  v_resting uuid[];
  v_ready   tasker.ready_tasks[];
  v_found   tasker.ready_tasks[] := '{}';
begin
  perform tasker.check_unbound();
  if v_limit not between 1 and 1000 then
    raise exception using
      errcode = 'TK422',
      message = format('the limit is %s; it must be between 1 and 1,000', v_limit),
      hint    = 'A call hands out 1 to 1,000 tasks.';
  end if;
  perform tasker.release_discoveries();
  loop
    v_next := tasker.find_deferred_tasks(v_limit - cardinality(v_found), v_seen)
      || tasker.find_due_tasks(v_limit - cardinality(v_found), v_seen);
    exit when cardinality(v_next) = 0;

    -- Skip tasks that another session has locked.
    v_locked := tasker.lock_undiscovered_tasks(v_next);
    v_seen := v_seen || v_next;
    v_resting := tasker.find_resting_tasks(v_locked);
    select coalesce(array_agg(r), '{}')
      into v_ready
      from (
        select r.*
          from unnest(v_locked) as u (task_uuid)
          join tasker.task_readiness() as r
            on r.task_uuid = u.task_uuid
         where not u.task_uuid = any (v_resting)
         order by r.computed_priority desc, r.current_state, r.task_uuid
         limit v_limit - cardinality(v_found)
      ) as r;

    -- Also hide the resting tasks, so that they do not keep later calls from finding other tasks.
    perform tasker.put_tasks_aside((select array_agg(r.task_uuid) from unnest(v_ready) as r) || v_resting, v_until);
    v_found := v_found || v_ready;
    exit when cardinality(v_found) >= v_limit;
  end loop;

  return query
  select f.*
    from unnest(v_found) as f
   order by f.computed_priority desc, f.current_state, f.task_uuid;
end;
$$;

comment on function tasker.get_next_ready_tasks is
$$Hands out tasks that an orchestrator has to evaluate, by computed priority: up to p_limit tasks (default 5, at most 1,000), each to only one caller.

Returns tasks that have not started, that a direct call has changed, or whose start or retry is due. Never returns tasks that the engine advances by itself. Skips a stale waiting task without ready steps. A task is not handed out again for the time of the setting discovery_lease_seconds. After this time its timer advance_task is due, and advances the task if the caller has not done so. A deferred task has no such timer, so it is handed out again. This function does not change the tasks in any other way, and reads no finished tasks.

Locks the tasks. Skips tasks that other transactions hold, and so never waits. Raises TK422 if p_limit is out of bounds,
TK403 if the caller is bound to namespaces.$$;

grant execute on function tasker.get_next_ready_tasks to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/compat/orchestrator/get_next_ready_task.sql
create or replace function tasker.get_next_ready_task()
  returns setof tasker.ready_tasks
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select r.* from tasker.get_next_ready_tasks(1) as r;
end;
$$;

comment on function tasker.get_next_ready_task is
$$Hands out one task as get_next_ready_tasks does, with the same locks. Returns no row if no task is ready.$$;

grant execute on function tasker.get_next_ready_task to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/compat/orchestrator/get_task_ready_info.sql
create or replace function tasker.get_task_ready_info(p_task_uuid uuid)
  returns setof tasker.ready_tasks
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
  perform tasker.check_bound(p_task_uuid);
  return query
  select r.*
    from tasker.task_readiness() as r
   where r.task_uuid = p_task_uuid;

  if not found then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;
end;
$$;

comment on function tasker.get_task_ready_info is
$$Returns the row that get_next_ready_tasks would return for a task, even if the task is not ready. Does not hand the task out. Raises TK404 if the task does not exist, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_task_ready_info to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/rows/operate/inspect/task_execution_contexts.sql
create or replace view tasker.task_execution_contexts as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as named_task_uuid,
  'pending'::tasker.task_state as status,
  0::bigint as total_steps,
  0::bigint as pending_steps,
  0::bigint as in_progress_steps,
  0::bigint as completed_steps,
  0::bigint as failed_steps,
  0::bigint as ready_steps,
  ''::text as execution_status,
  ''::text as recommended_action,
  0::numeric as completion_percentage,
  ''::text as health_status,
  0::bigint as enqueued_steps,
  0::bigint as retrying_steps,
  0::bigint as suspended_steps,
  0::bigint as cancelled_steps,
  0::bigint as exhausted_steps
where false;

comment on view tasker.task_execution_contexts is
  'Row type: the progress of a task, whether it is moving, and the recommended action.';
comment on column tasker.task_execution_contexts.pending_steps is
  'The number of steps that wait for their parents, or wait to be enqueued.';
comment on column tasker.task_execution_contexts.in_progress_steps is
  'The number of steps that a worker runs or whose result waits to be processed.';
comment on column tasker.task_execution_contexts.completed_steps is
  'The number of steps that are complete or resolved manually. Pending, enqueued, in progress, retrying, suspended, completed, failed and cancelled steps add up to all steps.';
comment on column tasker.task_execution_contexts.ready_steps is
  'The number of steps that may be enqueued now.';
comment on column tasker.task_execution_contexts.execution_status is
  'has_ready_steps, processing, waiting_for_retry, blocked_by_failures, all_complete, waiting_for_dependencies, or ended.';
comment on column tasker.task_execution_contexts.recommended_action is
  'execute_ready_steps, wait_for_completion, wait_for_retry, handle_failures, finalize_task, wait_for_dependencies, or none.';
comment on column tasker.task_execution_contexts.completion_percentage is
  'The percentage of steps that are settled, including cancelled steps. 100 for a task without steps.';
comment on column tasker.task_execution_contexts.health_status is
  'healthy, recovering (a step waits for a retry, or failed while others continue), blocked, or ended.';
comment on column tasker.task_execution_contexts.exhausted_steps is
  'The number of failed steps that cannot be retried, because they are not retryable or have no attempts left.';
-- <<<

-- >>> db/schema/functions/operate/inspect/private/execution_status.sql
create or replace function tasker.execution_status(
  p_complete   boolean,
  p_ready      bigint,
  p_running    bigint,
  p_retrying   bigint,
  p_suspended  bigint,
  p_failed     bigint,
  p_open       bigint
)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  -- Steps that can move take precedence over failed steps, because a failed branch does not block the other branches.
  select case
    when p_complete then 'ended'
    when p_ready > 0 then 'has_ready_steps'
    when p_running > 0 then 'processing'
    when p_retrying > 0 then 'waiting_for_retry'
    when p_suspended > 0 then 'waiting_for_dependencies'
    when p_failed > 0 then 'blocked_by_failures'
    when p_open = 0 then 'all_complete'
    else 'waiting_for_dependencies'
  end;
end;

comment on function tasker.execution_status is
$$Returns whether a task with these numbers of steps can move, and otherwise why it waits.$$;
-- <<<

-- >>> db/schema/functions/operate/inspect/private/recommended_action.sql
create or replace function tasker.recommended_action(p_execution_status text)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select case p_execution_status
    when 'has_ready_steps' then 'execute_ready_steps'
    when 'processing' then 'wait_for_completion'
    when 'waiting_for_retry' then 'wait_for_retry'
    when 'blocked_by_failures' then 'handle_failures'
    when 'all_complete' then 'finalize_task'
    when 'waiting_for_dependencies' then 'wait_for_dependencies'
    else 'none'
  end;
end;

comment on function tasker.recommended_action is
$$Returns the action that an orchestrator or an operator should take for a task with this execution status.$$;
-- <<<

-- >>> db/schema/functions/operate/inspect/private/task_contexts.sql
create or replace function tasker.task_contexts()
  returns setof tasker.task_execution_contexts
  language sql
  stable
  parallel safe
begin atomic
  select
    t.task_uuid,
    t.named_task_uuid,
    t.state as status,
    s.total as total_steps,
    s.pending as pending_steps,
    s.running as in_progress_steps,
    s.completed as completed_steps,
    s.failed as failed_steps,
    r.ready_steps_count as ready_steps,
    e.status as execution_status,
    tasker.recommended_action(e.status) as recommended_action,
    case when s.total = 0 then 100 else round(100.0 * (s.completed + s.cancelled) / s.total, 2) end as completion_percentage,
    case
      when t.complete then 'ended'
      when e.status = 'blocked_by_failures' then 'blocked'
      when s.failed + s.retrying > 0 then 'recovering'
      else 'healthy'
    end as health_status,
    s.enqueued as enqueued_steps,
    s.retrying as retrying_steps,
    s.suspended as suspended_steps,
    s.cancelled as cancelled_steps,
    s.exhausted as exhausted_steps
  from tasker.tasks as t
  join tasker.task_readiness() as r
    on r.task_uuid = t.task_uuid
  cross join lateral (
    select
      count(*) as total,
      count(*) filter (where s.state = 'pending') as pending,
      count(*) filter (where s.state = 'enqueued') as enqueued,
      count(*) filter (
        where s.state in ('in_progress', 'enqueued_for_orchestration', 'enqueued_as_error_for_orchestration')
      ) as running,
      count(*) filter (where s.state = 'waiting_for_retry') as retrying,
      count(*) filter (where s.state = 'suspended') as suspended,
      count(*) filter (where s.state in ('complete', 'resolved_manually')) as completed,
      count(*) filter (where s.state = 'cancelled') as cancelled,
      count(*) filter (where s.state = 'error') as failed,
      count(*) filter (
        where s.state = 'error' and not (s.retryable and s.attempts < s.max_attempts)
      ) as exhausted
    from tasker.workflow_steps as s
    where s.task_uuid = t.task_uuid
  ) as s
  cross join lateral (
    select tasker.execution_status(
      t.complete, r.ready_steps_count, s.enqueued + s.running, s.retrying, s.suspended, s.failed, s.pending
    ) as status
  ) as e;
end;

comment on function tasker.task_contexts is
$$Returns the execution contexts of all tasks. Inlined into the statements of its only callers, the execution context
functions, which select the tasks.$$;
-- <<<

-- >>> db/schema/functions/operate/inspect/get_task_execution_context.sql
create or replace function tasker.get_task_execution_context(p_task_uuid uuid)
  returns setof tasker.task_execution_contexts
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
  perform tasker.check_bound(p_task_uuid);
  return query
  select c.*
    from tasker.task_contexts() as c
   where c.task_uuid = p_task_uuid;

  if not found then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;
end;
$$;

comment on function tasker.get_task_execution_context is
$$Returns the progress of a task and the next action: how many steps are in each state, how many steps may be enqueued
now, the execution status, the recommended action and the health.

If one branch has failed, the status still says that another branch continues. Raises TK404 if there is no such task,
and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_task_execution_context
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/inspect/get_task_execution_contexts.sql
create or replace function tasker.get_task_execution_contexts(p_task_uuids uuid[])
  returns setof tasker.task_execution_contexts
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
  perform tasker.check_array_size('tasks', cardinality(p_task_uuids), 10000);
  perform tasker.check_bound_steps(p_task_uuids);
  return query
  select c.*
    from (select distinct u.task_uuid from unnest(p_task_uuids) as u (task_uuid)) as u
    join tasker.task_contexts() as c
      on c.task_uuid = u.task_uuid
   order by c.task_uuid;
end;
$$;

comment on function tasker.get_task_execution_contexts is
$$Returns the rows of get_task_execution_context for many tasks, by task.

Returns one row for a task that is named twice, and no row for a task that does not exist. Raises TK403 if the caller is
bound to other namespaces.$$;

grant execute on function tasker.get_task_execution_contexts
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/kernel/access/private/check_page_size.sql
create or replace function tasker.check_page_size(p_limit integer)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_limit not between 1 and 10000 then
    raise exception using
      errcode = 'TK422',
      message = format('the limit is %s; it must be between 1 and 10,000', p_limit),
      hint    = 'A page has 1 to 10,000 rows.';
  end if;
end;
$$;

comment on function tasker.check_page_size is
$$Raises TK422 if the limit is not null and out of bounds.$$;
-- <<<

-- >>> db/schema/rows/operate/dead_letters/task_staleness.sql
create or replace view tasker.task_staleness as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as namespace_name,
  ''::text as task_name,
  ''::text as task_version,
  'pending'::tasker.task_state as current_state,
  0::integer as priority,
  '-infinity'::timestamptz as requested_at,
  '-infinity'::timestamptz as in_state_since,
  '-infinity'::timestamptz as progress_at,
  0::numeric as time_in_state_minutes,
  0::numeric as minutes_without_progress,
  0::numeric as task_age_minutes,
  0::integer as threshold_minutes,
  null::text as waits_for,
  ''::text as health_status,
  null::text as dlq_reason
where false;

comment on view tasker.task_staleness is
  'Row type: an open task, how long it has made no progress, and whether that is too long.';
comment on column tasker.task_staleness.progress_at is
  'The time when the task or one of its steps last changed, or was last attempted.';
comment on column tasker.task_staleness.threshold_minutes is
  'The number of minutes without progress after which the task is stale. A task for which something is due is not stale.';
comment on column tasker.task_staleness.waits_for is
  'The reason why the task is not stale although it has made no progress: lease, timer, namespace_paused, wait (a step is suspended), undo (the task is being undone), backlog (the handler is busy with other tasks'' steps). Null if there is no such reason, or if the time without progress is far below the threshold.';
comment on column tasker.task_staleness.health_status is
  'healthy, warning (more than four fifths of the threshold have passed) or stale.';
comment on column tasker.task_staleness.dlq_reason is
  'The reason why a stale task is stuck, in the words of tasker.tasks_dlq. Null while the task is not stale.';
-- <<<

-- >>> db/schema/rows/operate/dead_letters/stale_task_actions.sql
create or replace view tasker.stale_task_actions as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as namespace_name,
  ''::text as task_name,
  'pending'::tasker.task_state as current_state,
  0::numeric as minutes_without_progress,
  0::integer as threshold_minutes,
  ''::text as dlq_reason,
  ''::text as action_taken,
  null::uuid as dlq_entry_uuid
where false;

comment on view tasker.stale_task_actions is
  'Row type: a stale task, with the action that the call took or, in a dry run, would have taken.';
comment on column tasker.stale_task_actions.current_state is
  'The state of the task when the call read it.';
comment on column tasker.stale_task_actions.action_taken is
  'would_transition_to_dlq_and_error in a dry run, otherwise transitioned_to_dlq_and_error. One transaction writes both the dead-letter entry and the transition to error.';
comment on column tasker.stale_task_actions.dlq_entry_uuid is
  'The task''s entry in tasker.tasks_dlq. Null in a dry run.';
-- <<<

-- >>> db/schema/rows/operate/dead_letters/dlq_entries.sql
create or replace view tasker.dlq_entries as
select
  '00000000-0000-0000-0000-000000000000'::uuid as dlq_entry_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  null::text as namespace_name,
  null::text as task_name,
  null::text as task_version,
  'pending'::tasker.task_state as original_state,
  null::tasker.task_state as current_state,
  ''::text as dlq_reason,
  '-infinity'::timestamptz as dlq_timestamp,
  0::numeric as minutes_in_dlq,
  ''::text as resolution_status,
  null::timestamptz as resolution_timestamp,
  null::text as resolution_notes,
  null::text as resolved_by,
  '{}'::jsonb as metadata,
  null::jsonb as task_snapshot
where false;

comment on view tasker.dlq_entries is
  'Row type: an investigation of a task.';
comment on column tasker.dlq_entries.current_state is
  'The present state of the task. Null if retention has dropped the task.';
comment on column tasker.dlq_entries.minutes_in_dlq is
  'The number of minutes from the creation of the entry to its resolution, or until now if it is not resolved.';
comment on column tasker.dlq_entries.task_snapshot is
  'The task with its steps, edges and history as they were when the investigation was opened. Null in lists.';
-- <<<

-- >>> db/schema/rows/operate/dead_letters/dlq_reasons.sql
create or replace view tasker.dlq_reasons as
select
  ''::text as dlq_reason,
  0::bigint as total_entries,
  0::bigint as pending,
  0::bigint as manually_resolved,
  0::bigint as permanently_failed,
  0::bigint as cancelled,
  '-infinity'::timestamptz as oldest_entry,
  '-infinity'::timestamptz as newest_entry,
  null::numeric as avg_resolution_minutes
where false;

comment on view tasker.dlq_reasons is
  'Row type: the numbers of dead-letter entries of one reason, for each way in which they ended.';
comment on column tasker.dlq_reasons.avg_resolution_minutes is
  'The average number of minutes until an entry was resolved. Null if no entry was resolved yet.';
-- <<<

-- >>> db/schema/rows/operate/dead_letters/dlq_investigations.sql
create or replace view tasker.dlq_investigations as
select
  '00000000-0000-0000-0000-000000000000'::uuid as dlq_entry_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  null::text as namespace_name,
  null::text as task_name,
  'pending'::tasker.task_state as original_state,
  ''::text as dlq_reason,
  '-infinity'::timestamptz as dlq_timestamp,
  0::numeric as minutes_in_dlq,
  0::numeric as priority_score,
  null::text as resolution_notes,
  '{}'::jsonb as metadata
where false;

comment on view tasker.dlq_investigations is
  'Row type: an open investigation.';
comment on column tasker.dlq_investigations.priority_score is
  'The urgency: 1000 for a cycle, 500 for used-up attempts, 100 for staleness, 50 for missing workers, 10 otherwise, plus 1 for each minute.';
-- <<<

-- >>> db/schema/functions/operate/dead_letters/private/staleness_reason.sql
create or replace function tasker.staleness_reason(p_task_uuid uuid)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_enqueued  boolean;
  v_exhausted boolean;
  v_movable   boolean;
begin
  select
    coalesce(bool_or(s.state in ('enqueued', 'in_progress')), false),
    coalesce(bool_or(s.state = 'error' and not (s.retryable and s.attempts < s.max_attempts)), false),
    -- In a graph without a cycle whose open steps have not failed, at least one open step has only settled parents.
    coalesce(bool_or(s.state <> 'pending' and not d.settles_dependencies), false)
      or coalesce(bool_or(s.state = 'pending' and s.pending_parents = 0), false)
      or coalesce(bool_and(d.settles_dependencies), true)
    into v_enqueued, v_exhausted, v_movable
    from tasker.workflow_steps as s
    join tasker.step_states as d
      on d.state = s.state
   where s.task_uuid = p_task_uuid;

  return case
    when v_enqueued then 'worker_unavailable'
    when v_exhausted then 'max_retries_exceeded'
    when not v_movable then 'dependency_cycle_detected'
    else 'staleness_timeout'
  end;
end;
$$;

comment on function tasker.staleness_reason is
$$Returns why a task makes no progress, as a reason of tasker.tasks_dlq. Either no worker claims an enqueued step, or a
step has used up its attempts, or steps wait for one another in a cycle, or there is another reason.$$;
-- <<<

-- >>> db/schema/functions/operate/dead_letters/private/open_task_staleness.sql
create or replace function tasker.open_task_staleness(
  p_waiting_for_dependencies  integer,
  p_waiting_for_retry         integer,
  p_steps_in_process          integer,
  p_other                     integer
)
  returns setof tasker.task_staleness
  language sql
  stable
  parallel safe
begin atomic
  select
    t.task_uuid,
    n.name as namespace_name,
    k.name as task_name,
    k.version as task_version,
    t.state as current_state,
    t.priority,
    t.requested_at,
    -- This expression is evaluated only if the column is selected.
    coalesce(
      (
        select l.created_at
          from tasker.task_log as l
         where l.task_uuid = t.task_uuid
           and l.sort_key = t.transition_count
      ),
      t.requested_at
    ) as in_state_since,
    p.at as progress_at,
    round(extract(epoch from tasker.clock() - coalesce(
      (
        select l.created_at
          from tasker.task_log as l
         where l.task_uuid = t.task_uuid
           and l.sort_key = t.transition_count
      ),
      t.requested_at
    )) / 60, 2) as time_in_state_minutes,
    round(extract(epoch from tasker.clock() - p.at) / 60, 2) as minutes_without_progress,
    round(extract(epoch from tasker.clock() - t.requested_at) / 60, 2) as task_age_minutes,
    h.minutes as threshold_minutes,
    w.what as waits_for,
    case
      when w.what is not null or p.at > tasker.clock() - h.minutes * interval '48 seconds' then 'healthy'
      when p.at > tasker.clock() - h.minutes * interval '1 minute' then 'warning'
      else 'stale'
    end as health_status,
    case
      when w.what is null and p.at <= tasker.clock() - h.minutes * interval '1 minute'
      then tasker.staleness_reason(t.task_uuid)
    end as dlq_reason
  from tasker.tasks as t
  join tasker.named_tasks as k
    on k.named_task_uuid = t.named_task_uuid
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = k.task_namespace_uuid
  cross join lateral (
    -- The threshold of the template takes precedence over the caller's, and the caller's over the settings.
    select tasker.staleness_threshold(
      t.state,
      coalesce(k.max_waiting_for_dependencies_minutes, p_waiting_for_dependencies),
      coalesce(k.max_waiting_for_retry_minutes, p_waiting_for_retry),
      coalesce(k.max_steps_in_process_minutes, p_steps_in_process),
      p_other
    ) as minutes
  ) as h
  cross join lateral (
    -- Read the steps only if the task itself has not changed for long.
    select greatest(
      t.updated_at,
      case when t.updated_at <= tasker.clock() - h.minutes * interval '48 seconds' then (
        select max(s.last_attempted_at)
          from tasker.workflow_steps as s
         where s.task_uuid = t.task_uuid
      ) end
    ) as at
  ) as p
  cross join lateral (
    select case when p.at <= tasker.clock() - h.minutes * interval '48 seconds' then
      case
        when n.paused_at is not null then 'namespace_paused'
        when exists (
          select
            from tasker.step_queue as q
           where q.task_uuid = t.task_uuid
             and q.visible_at > tasker.clock()
        ) then 'lease'
        when exists (
          select
            from tasker.timers as m
           where m.task_uuid = t.task_uuid
             and m.kind <> 'task_deadline'
             and m.due_at > tasker.clock()
        ) then 'timer'
        when t.suspended_steps > 0 then 'wait'
        when tasker.is_undone(t.undo) then 'undo'
        when exists (
          select
            from tasker.step_queue as q
            join tasker.step_queue as o
              on o.namespace = q.namespace
             and o.lane = 'running'
             and o.visible_at > tasker.clock()
             and o.named_step_uuid = q.named_step_uuid
           where q.task_uuid = t.task_uuid
             and q.lane not in ('running', 'results')
        ) then 'backlog'
      end
    end as what
  ) as w
  where not t.complete;
end;

comment on function tasker.open_task_staleness is
$$Returns how long each open task has made no progress, and whether it is stale. Inlined into the statements of its only
callers, the staleness functions.

Reads the open tasks through their partial index. Reads more rows of a task only if the task is near its threshold.$$;
-- <<<

-- >>> db/schema/functions/operate/dead_letters/private/snapshot_row.sql
create or replace function tasker.snapshot_row(p_row jsonb, p_bytes integer)
  returns jsonb
  language plpgsql
  immutable
as $$
begin
  if pg_column_size(p_row) <= p_bytes then
    return p_row;
  end if;
  return (
    select jsonb_object_agg(f.key, case
        when pg_column_size(f.value) > greatest(p_bytes / 4, 256) then jsonb_build_object('omitted_bytes', pg_column_size(f.value))
        else f.value
      end)
      from jsonb_each(p_row) as f
     where f.value <> 'null'
  );
end;
$$;

comment on function tasker.snapshot_row is
$$Returns a row of a snapshot unchanged if it has at most p_bytes bytes. Otherwise returns the row without its null
values, and replaces each large value by its size. A value is large if it has more bytes than a quarter of p_bytes, and
more than 256 bytes.$$;
-- <<<

-- >>> db/schema/functions/operate/dead_letters/private/task_snapshot.sql
create or replace function tasker.task_snapshot(p_task_uuid uuid)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_task  tasker.tasks;
  v_moves bigint;
  v_bytes integer;
  v_log   integer;
begin
  select t.* into strict v_task from tasker.tasks as t where t.task_uuid = p_task_uuid;
  select coalesce(sum(s.transition_count), 0)
    into v_moves
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid;
  -- The values of all steps have about 16 MiB, and the values of each log have about 16 MiB. The numbers of rows are
  -- bounded, too. So the snapshot stays below the 256 MB that a jsonb can have.
  v_bytes := least(65536, 16777216 / greatest(v_task.total_steps, 1));
  v_log := least(65536, 16777216 / least(greatest(v_moves, v_task.transition_count, 1), 50000));

  return jsonb_build_object(
    'taken_at', tasker.clock(),
    'task', tasker.snapshot_row(to_jsonb(v_task), 16777216) || (
      select jsonb_build_object('namespace', n.name, 'name', k.name, 'version', k.version)
        from tasker.named_tasks as k
        join tasker.task_namespaces as n
          on n.task_namespace_uuid = k.task_namespace_uuid
       where k.named_task_uuid = v_task.named_task_uuid
    ),
    'steps', coalesce((
      select jsonb_agg(tasker.snapshot_row(to_jsonb(s), v_bytes) order by s.step_no)
        from tasker.workflow_steps as s
       where s.task_uuid = p_task_uuid
    ), '[]'),
    'edges', coalesce((
      select jsonb_agg(to_jsonb(e) - 'task_uuid' order by e.from_step_no, e.to_step_no)
        from (select e.* from tasker.workflow_step_edges as e where e.task_uuid = p_task_uuid limit 200000) as e
    ), '[]'),
    'task_history', coalesce((
      select jsonb_agg(tasker.snapshot_row(to_jsonb(l) - '{task_uuid,row_key}'::text[], v_log) order by l.sort_key)
        from (
          select l.*
            from tasker.task_transition_log as l
           where l.task_uuid = p_task_uuid
           order by l.row_key desc, l.sort_key desc
           limit 50000
        ) as l
    ), '[]'),
    'step_history', coalesce((
      select jsonb_agg(tasker.snapshot_row(to_jsonb(l) - '{task_uuid,row_key}'::text[], v_log) order by l.step_no, l.sort_key)
        from (
          select l.*
            from tasker.workflow_step_transition_log as l
           where l.task_uuid = p_task_uuid
           order by l.created_at desc, l.step_no desc, l.sort_key desc
           limit 50000
        ) as l
    ), '[]'),
    'queue', coalesce((
      select jsonb_agg(to_jsonb(q) - 'task_uuid' order by q.step_no)
        from tasker.step_queue as q
       where q.task_uuid = p_task_uuid
    ), '[]'),
    'timers', coalesce((
      select jsonb_agg(to_jsonb(m) - 'task_uuid' order by m.step_no, m.kind)
        from tasker.timers as m
       where m.task_uuid = p_task_uuid
    ), '[]')
  );
end;
$$;

comment on function tasker.task_snapshot is
$$Returns a task as JSON: its row, steps, edges, history, queue rows and timers. Very large values are replaced by their
size (tasker.snapshot_row). The snapshot has at most 200,000 edges, and the newest 50,000 rows of each history.$$;
-- <<<

-- >>> db/schema/functions/operate/dead_letters/private/insert_dlq_entry.sql
create or replace function tasker.insert_dlq_entry(
  p_task_uuid  uuid,
  p_state      tasker.task_state,
  p_reason     text,
  p_notes      text,
  p_metadata   jsonb
)
  returns uuid
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_entry uuid;
begin
  loop
    insert into tasker.tasks_dlq (task_uuid, original_state, dlq_reason, resolution_notes, task_snapshot, metadata)
    values (
      p_task_uuid, p_state, p_reason, p_notes, tasker.task_snapshot(p_task_uuid),
      jsonb_build_object('created_by', tasker.actor_name(null)) || coalesce(p_metadata, '{}')
    )
    on conflict (task_uuid) where resolution_status = 'pending' do nothing
    returning dlq_entry_uuid into v_entry;

    if v_entry is null then
      -- There is no row if an operator has closed the investigation in the meantime. Then the task needs a new
      -- investigation.
      select d.dlq_entry_uuid
        into v_entry
        from tasker.tasks_dlq as d
       where d.task_uuid = p_task_uuid
         and d.resolution_status = 'pending';
    end if;
    if v_entry is not null then
      return v_entry;
    end if;
  end loop;
end;
$$;

comment on function tasker.insert_dlq_entry is
$$Opens an investigation of a task with a snapshot of the task, and returns its UUID. If the task has an open
investigation, returns the UUID of that investigation. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/operate/dead_letters/private/fail_stale_task.sql
create or replace function tasker.fail_stale_task(p_task_uuid uuid, p_reason text, p_message text)
  returns uuid
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_task  tasker.tasks;
  v_entry uuid;
begin
  select t.* into strict v_task from tasker.tasks as t where t.task_uuid = p_task_uuid;
  v_entry := tasker.insert_dlq_entry(p_task_uuid, v_task.state, p_reason, null, null);
  perform tasker.move_task(
    v_task, 'Timeout', 'error', null,
    jsonb_build_object('reason', p_message, 'dlq_reason', p_reason, 'dlq_entry_uuid', v_entry), null
  );
  return v_entry;
end;
$$;

comment on function tasker.fail_stale_task is
$$Moves a stale task to the state "error" and writes an entry for it into the dead-letter queue. Returns the UUID of the
entry. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/operate/dead_letters/private/raise_dlq_entry_not_found.sql
create or replace function tasker.raise_dlq_entry_not_found(p_dlq_entry_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK404',
    message = format('dead-letter entry %s does not exist', coalesce(p_dlq_entry_uuid::text, 'null')),
    hint    = 'tasker.list_dlq_entries() lists the entries.';
end;
$$;

comment on function tasker.raise_dlq_entry_not_found is
$$Raises TK404 because there is no dead-letter entry with this UUID.$$;
-- <<<

-- >>> db/schema/functions/operate/dead_letters/calculate_staleness_threshold.sql
create or replace function tasker.calculate_staleness_threshold(p_state text, p_lifecycle jsonb default null)
  returns integer
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_state tasker.task_state := tasker.parse_task_state(p_state);
  v_field text;
begin
  select f.key
    into v_field
    from jsonb_each(case when jsonb_typeof(p_lifecycle) = 'object' then p_lifecycle else '{}' end) as f
   where f.key like E'max\\_%\\_minutes'
     and f.value::text !~ '^[1-9][0-9]{0,6}$'
   limit 1;

  if v_field is not null or coalesce(jsonb_typeof(p_lifecycle), 'object') <> 'object' then
    raise exception using
      errcode = 'TK422',
      message = 'the lifecycle is invalid',
      detail  = coalesce(format('"%s" is %s.', v_field, p_lifecycle -> v_field), format('It is %s.', left(p_lifecycle::text, 100))),
      hint    = 'A lifecycle is an object whose max_…_minutes are whole minutes above 0.';
  end if;

  return tasker.staleness_threshold(
    v_state,
    (p_lifecycle ->> 'max_waiting_for_dependencies_minutes')::integer,
    (p_lifecycle ->> 'max_waiting_for_retry_minutes')::integer,
    (p_lifecycle ->> 'max_steps_in_process_minutes')::integer,
    null
  );
end;
$$;

comment on function tasker.calculate_staleness_threshold is
$$Returns after how many minutes without progress a task in this state is stale. The number comes from the template's
lifecycle, or else from the setting. Returns null for a terminal state.

Raises TK422 for an unknown state or an invalid lifecycle.$$;

grant execute on function tasker.calculate_staleness_threshold
  to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/dead_letters/get_task_staleness.sql
create or replace function tasker.get_task_staleness(p_health_status text default null, p_limit integer default null)
  returns setof tasker.task_staleness
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
declare
  v_bound        text[]  := tasker.bound_namespaces();
  v_dependencies integer := tasker.setting_integer('stale_waiting_for_dependencies_minutes');
  v_retry        integer := tasker.setting_integer('stale_waiting_for_retry_minutes');
  v_process      integer := tasker.setting_integer('stale_steps_in_process_minutes');
  v_other        integer := tasker.setting_integer('stale_other_minutes');
begin
  if p_health_status not in ('healthy', 'warning', 'stale') then
    raise exception using
      errcode = 'TK422',
      message = format('"%s" is not a health status of tasks', left(p_health_status, 100)),
      hint    = 'A status is healthy, warning or stale.';
  end if;
  perform tasker.check_page_size(p_limit);

  -- Settings are read once, not for each task.
  return query
  select s.*
    from tasker.open_task_staleness(v_dependencies, v_retry, v_process, v_other) as s
   where s.health_status = coalesce(p_health_status, s.health_status)
     and (v_bound is null or s.namespace_name = any (v_bound))
   order by s.progress_at, s.task_uuid
   limit coalesce(p_limit, 10000);
end;
$$;

comment on function tasker.get_task_staleness is
$$Returns the open tasks, the task that has made no progress for longest first, with their state, times, threshold and
next due time. Each row says whether the task is healthy, near its threshold or stale. With p_health_status, returns
only tasks of this health. A bound caller sees only its own namespaces.

Returns at most p_limit rows (default and maximum: 10,000). Raises TK422 for an unknown status or a limit out of range.$$;

grant execute on function tasker.get_task_staleness
  to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/dead_letters/get_stale_tasks_for_dlq.sql
create or replace function tasker.get_stale_tasks_for_dlq(
  p_limit                             integer  default null,
  p_waiting_for_dependencies_minutes  integer  default null,
  p_waiting_for_retry_minutes         integer  default null,
  p_steps_in_process_minutes          integer  default null,
  p_other_minutes                     integer  default null
)
  returns setof tasker.task_staleness
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
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  perform tasker.check_page_size(p_limit);
  if least(
    p_waiting_for_dependencies_minutes, p_waiting_for_retry_minutes, p_steps_in_process_minutes, p_other_minutes
  ) < 1 then
    raise exception using
      errcode = 'TK422',
      message = 'a threshold is less than a minute',
      hint    = 'Thresholds are whole minutes above 0; null means the setting.';
  end if;

  return query
  select s.*
    from tasker.open_task_staleness(
      p_waiting_for_dependencies_minutes, p_waiting_for_retry_minutes, p_steps_in_process_minutes, p_other_minutes
    ) as s
   where s.health_status = 'stale'
     and (v_bound is null or s.namespace_name = any (v_bound))
   order by s.progress_at, s.task_uuid
   limit coalesce(p_limit, 100);
end;
$$;

comment on function tasker.get_stale_tasks_for_dlq is
$$Returns the open tasks that have made no progress for too long and for which nothing is due, the task that has made no
progress for longest first. detect_and_transition_stale_tasks acts on these tasks. A bound caller sees only its own
namespaces.

The template's lifecycle for the state defines "too long". If it does not, the arguments define it, or else the setting.
Something is due for a task if it has a live lease, a future start or retry, a paused namespace, or a handler that is
busy with steps of other tasks.

Returns at most p_limit rows (default 100). Raises TK422 for a limit or a threshold out of range.$$;

grant execute on function tasker.get_stale_tasks_for_dlq
  to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/dead_letters/detect_and_transition_stale_tasks.sql
create or replace function tasker.detect_and_transition_stale_tasks(
  p_dry_run                           boolean  default true,
  p_limit                             integer  default null,
  p_waiting_for_dependencies_minutes  integer  default null,
  p_waiting_for_retry_minutes         integer  default null,
  p_steps_in_process_minutes          integer  default null,
  p_other_minutes                     integer  default null
)
  returns setof tasker.stale_task_actions
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_uuids uuid[];
begin
  select coalesce(array_agg(s.task_uuid order by s.task_uuid), '{}')
    into v_uuids
    from tasker.get_stale_tasks_for_dlq(
      p_limit, p_waiting_for_dependencies_minutes, p_waiting_for_retry_minutes,
      p_steps_in_process_minutes, p_other_minutes
    ) as s;

  if not coalesce(p_dry_run, true) then
    select coalesce(array_agg(l.task_uuid order by l.task_uuid), '{}')
      into v_uuids
      from (
        select t.task_uuid
          from unnest(v_uuids) as u (task_uuid)
          join tasker.tasks as t
            on t.task_uuid = u.task_uuid
         order by t.task_uuid
           for no key update of t skip locked
      ) as l;
  end if;

  -- Check again in a statement that began after the locks were granted, because a task that moved in the meantime is
  -- not stale.
  return query
  select
    s.task_uuid,
    s.namespace_name,
    s.task_name,
    s.current_state,
    s.minutes_without_progress,
    s.threshold_minutes,
    s.dlq_reason,
    case
      when coalesce(p_dry_run, true) then 'would_transition_to_dlq_and_error'
      else 'transitioned_to_dlq_and_error'
    end,
    case when not coalesce(p_dry_run, true) then tasker.fail_stale_task(
      s.task_uuid, s.dlq_reason,
      format('%s for %s minutes without progress', s.current_state, floor(s.minutes_without_progress))
    ) end
  from unnest(v_uuids) as u (task_uuid)
  join tasker.open_task_staleness(
      p_waiting_for_dependencies_minutes, p_waiting_for_retry_minutes, p_steps_in_process_minutes, p_other_minutes
    ) as s
    on s.task_uuid = u.task_uuid
  where s.health_status = 'stale'
  order by u.task_uuid;
end;
$$;

comment on function tasker.detect_and_transition_stale_tasks is
$$Moves stale tasks (the rows of get_stale_tasks_for_dlq) to the state "error" with the event "Timeout", and writes for
each task an entry into the dead-letter queue, with a snapshot of the task. A dry run, which is the default, only
returns the tasks that the function would move.

Each call moves up to p_limit tasks (default 100). Steps in the pipeline fail with the task, so that a reset of the task
brings them back. Locks the tasks in the order of their UUIDs. Skips tasks that another transaction has locked. Raises
TK422 for a limit or a threshold out of range.$$;

grant execute on function tasker.detect_and_transition_stale_tasks
  to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/dead_letters/create_dlq_entry.sql
create or replace function tasker.create_dlq_entry(
  p_task_uuid  uuid,
  p_reason     text   default null,
  p_notes      text   default null,
  p_metadata   jsonb  default null
)
  returns uuid
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '5s'
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_state  tasker.task_state;
  v_reason text := coalesce(p_reason, 'manual_dlq');
begin
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_text_size('text of the notes', p_notes, 1000);
  if v_reason not in (
    'staleness_timeout', 'max_retries_exceeded', 'dependency_cycle_detected', 'worker_unavailable', 'manual_dlq'
  ) then
    raise exception using
      errcode = 'TK422',
      message = format('"%s" is not a reason for the dead-letter queue', left(v_reason, 100)),
      hint    = 'Use staleness_timeout, max_retries_exceeded, dependency_cycle_detected, worker_unavailable or manual_dlq.';
  end if;
  if jsonb_typeof(p_metadata) <> 'object' then
    raise exception using
      errcode = 'TK422',
      message = 'the metadata of a dead-letter entry is not a JSON object',
      hint    = 'Pass an object, {} for no metadata.';
  end if;
  perform tasker.check_transition_metadata(coalesce(p_metadata, '{}'));

  -- The lock makes the snapshot consistent.
  select t.state
    into v_state
    from tasker.tasks as t
   where t.task_uuid = p_task_uuid
     for no key update;
  if not found then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;
  return tasker.insert_dlq_entry(p_task_uuid, v_state, v_reason, p_notes, p_metadata);
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.create_dlq_entry is
$$Opens an investigation of a task and returns the UUID of the investigation. An investigation is a row of
tasker.tasks_dlq with a snapshot of the task, its steps, edges and history. If the task already has an open
investigation, returns the UUID of that investigation.

Does not stop the task. The default of p_reason is "manual_dlq". Locks the task. Raises TK404 if there is no such task,
and TK413 if the metadata is too large. Raises TK422 for an unknown reason or metadata that is not an object. Raises
TK403 if the caller is bound to other namespaces. Raises TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.create_dlq_entry to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/dead_letters/list_dlq_entries.sql
create or replace function tasker.list_dlq_entries(
  p_resolution_status  text     default null,
  p_reason             text     default null,
  p_namespace          text     default null,
  p_task_uuid          uuid     default null,
  p_before             uuid     default null,
  p_limit              integer  default null
)
  returns setof tasker.dlq_entries
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_page_size(p_limit);
  -- The filters are optional, so each call is planned for its own filters.
  return query
  select
    d.dlq_entry_uuid,
    d.task_uuid,
    d.task_snapshot #>> '{task,namespace}',
    d.task_snapshot #>> '{task,name}',
    d.task_snapshot #>> '{task,version}',
    d.original_state,
    t.state,
    d.dlq_reason,
    d.dlq_timestamp,
    round(extract(epoch from coalesce(d.resolution_timestamp, tasker.clock()) - d.dlq_timestamp) / 60, 2),
    d.resolution_status,
    d.resolution_timestamp,
    d.resolution_notes,
    d.resolved_by,
    d.metadata,
    null::jsonb
  from tasker.tasks_dlq as d
  left join tasker.tasks as t
    on t.task_uuid = d.task_uuid
  where (p_resolution_status is null or d.resolution_status = p_resolution_status)
    and (p_reason is null or d.dlq_reason = p_reason)
    and (v_bound is null or d.task_snapshot #>> '{task,namespace}' = any (v_bound))
    and (p_namespace is null or d.task_snapshot #>> '{task,namespace}' = p_namespace)
    and (p_task_uuid is null or d.task_uuid = p_task_uuid)
    and (p_before is null or d.dlq_entry_uuid < p_before)
  order by d.dlq_entry_uuid desc
  limit coalesce(p_limit, 100);
end;
$$;

comment on function tasker.list_dlq_entries is
$$Returns the investigations that match all filters, newest first, without their snapshots. A null argument does not
filter. A bound caller sees only its own namespaces.

For the next page, pass the UUID of the last entry as p_before. A page has p_limit entries (default 100, at most
10,000). Raises TK422 for a limit out of range, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_dlq_entries
  to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/dead_letters/get_dlq_entry.sql
create or replace function tasker.get_dlq_entry(p_dlq_entry_uuid uuid)
  returns setof tasker.dlq_entries
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
  perform tasker.check_bound_dlq_entry(p_dlq_entry_uuid);
  return query
  select
    d.dlq_entry_uuid,
    d.task_uuid,
    d.task_snapshot #>> '{task,namespace}',
    d.task_snapshot #>> '{task,name}',
    d.task_snapshot #>> '{task,version}',
    d.original_state,
    t.state,
    d.dlq_reason,
    d.dlq_timestamp,
    round(extract(epoch from coalesce(d.resolution_timestamp, tasker.clock()) - d.dlq_timestamp) / 60, 2),
    d.resolution_status,
    d.resolution_timestamp,
    d.resolution_notes,
    d.resolved_by,
    d.metadata,
    d.task_snapshot
  from tasker.tasks_dlq as d
  left join tasker.tasks as t
    on t.task_uuid = d.task_uuid
  where d.dlq_entry_uuid = p_dlq_entry_uuid;

  if not found then
    perform tasker.raise_dlq_entry_not_found(p_dlq_entry_uuid);
  end if;
end;
$$;

comment on function tasker.get_dlq_entry is
$$Returns an investigation with its snapshot. Raises TK404 if there is no such entry, and TK403 if the caller is bound
to other namespaces than the task's.$$;

grant execute on function tasker.get_dlq_entry to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/dead_letters/resolve_dlq_entry.sql
create or replace function tasker.resolve_dlq_entry(
  p_dlq_entry_uuid     uuid,
  p_resolution_status  text,
  p_notes              text  default null,
  p_actor              text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_bound_dlq_entry(p_dlq_entry_uuid);
  perform tasker.check_text_size('text of the notes', p_notes, 1000);
  perform tasker.check_given_name('actor', p_actor, 200);
  if p_resolution_status is null or p_resolution_status not in ('manually_resolved', 'permanently_failed', 'cancelled') then
    raise exception using
      errcode = 'TK422',
      message = format('an investigation cannot end as "%s"', left(coalesce(p_resolution_status, 'null'), 100)),
      hint    = 'Use manually_resolved, permanently_failed or cancelled.';
  end if;

  update tasker.tasks_dlq as d
     set resolution_status    = p_resolution_status,
         resolution_timestamp = tasker.clock(),
         resolution_notes     = coalesce(p_notes, d.resolution_notes),
         resolved_by          = tasker.actor_name(p_actor)
   where d.dlq_entry_uuid = p_dlq_entry_uuid
     and d.resolution_status = 'pending';
  if found then
    return true;
  end if;

  if not exists (select from tasker.tasks_dlq as d where d.dlq_entry_uuid = p_dlq_entry_uuid) then
    perform tasker.raise_dlq_entry_not_found(p_dlq_entry_uuid);
  end if;
  return false;
end;
$$;

comment on function tasker.resolve_dlq_entry is
$$Ends an investigation as manually_resolved, permanently_failed or cancelled. Returns true if this call ended the
investigation, and false if it had already ended. Does not change the task. To run the task again, call
requeue_dlq_entry.

p_notes say why, and p_actor says who did it (by default the caller's role). Locks the entry. Raises TK404 if there is
no such entry, TK422 for any other resolution, and TK403 if the caller is bound to other namespaces than the task's.$$;

grant execute on function tasker.resolve_dlq_entry to tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/dead_letters/requeue_dlq_entry.sql
create or replace function tasker.requeue_dlq_entry(p_dlq_entry_uuid uuid, p_notes text default null, p_actor text default null)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '5s'
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_task  uuid;
  v_state tasker.task_state;
begin
  perform tasker.check_bound_dlq_entry(p_dlq_entry_uuid);
  perform tasker.check_text_size('text of the notes', p_notes, 1000);
  perform tasker.check_given_name('actor', p_actor, 200);
  select d.task_uuid
    into v_task
    from tasker.tasks_dlq as d
   where d.dlq_entry_uuid = p_dlq_entry_uuid;
  if not found then
    perform tasker.raise_dlq_entry_not_found(p_dlq_entry_uuid);
  end if;

  perform tasker.lock_identity(v_task);
  select t.state
    into v_state
    from tasker.tasks as t
   where t.task_uuid = v_task
     for no key update;
  if not found then
    perform tasker.raise_task_not_found(v_task);
  end if;
  if v_state in ('complete', 'cancelled', 'resolved_manually') then
    raise exception using
      errcode = 'TK409',
      message = format('task %s cannot run again: it is %s', v_task, v_state),
      hint    = 'End the investigation with tasker.resolve_dlq_entry().';
  end if;

  if not tasker.resolve_dlq_entry(p_dlq_entry_uuid, 'manually_resolved', p_notes, p_actor) then
    return false;
  end if;
  if not tasker.reset_task(v_task, coalesce(p_notes, 'requeued from the dead-letter queue'), p_actor => p_actor) then
    perform tasker.advance_later(v_task);
  end if;
  return true;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(v_task);
end;
$$;

comment on function tasker.requeue_dlq_entry is
$$Ends an investigation as manually_resolved and runs its task again: failed steps start again and finished steps stay
finished. If the task has no failures, an orchestrator evaluates it. Returns true if this call requeued the task, and
false if the investigation had already ended.

p_notes say why, and p_actor says who did it (by default the caller's role). Locks the identity of the task, the task,
then the entry. Raises TK404 if the entry or its task does not exist. Raises TK409 if the task is complete, cancelled or
resolved, or if another open task has its identity. Raises TK403 if the caller is bound to other namespaces than the
task's. Raises TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.requeue_dlq_entry to tasker_operator;
-- <<<

-- >>> db/schema/rows/operate/dead_letters/dlq_requeues.sql
create or replace view tasker.dlq_requeues as
select
  '00000000-0000-0000-0000-000000000000'::uuid as dlq_entry_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  null::text as namespace,
  null::text as name,
  null::text as version,
  ''::text as dlq_reason,
  '-infinity'::timestamptz as dlq_timestamp,
  null::tasker.task_state as current_state,
  ''::text as outcome
where false;

comment on view tasker.dlq_requeues is
  'Row type: the outcome for one investigation in a call that requeues many.';
comment on column tasker.dlq_requeues.current_state is
  'The state of the task when the call read it. Null if retention has dropped the task.';
comment on column tasker.dlq_requeues.outcome is
  'matched: a dry run; requeued; locked: another transaction holds the task or its identity; ended: the task cannot run again; duplicate: another open task has the same identity with the scope "open"; closed: the investigation has ended meanwhile.';
-- <<<

-- >>> db/schema/functions/operate/dead_letters/requeue_dlq_entries.sql
create or replace function tasker.requeue_dlq_entries(
  p_notes      text,
  p_reason     text     default null,
  p_namespace  text     default null,
  p_after      uuid     default null,
  p_limit      integer  default 100,
  p_dry_run    boolean  default false,
  p_actor      text     default null
)
  returns setof tasker.dlq_requeues
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_bound    text[] := tasker.bound_namespaces();
  v_found    tasker.dlq_requeues[];
  v_locked   uuid[] := '{}';
  v_requeued uuid[] := '{}';
  v_ended    uuid[] := '{}';
  v_kept     uuid[] := '{}'; -- another open task has the identity of the entry's task
  v_busy     uuid[] := '{}'; -- another transaction holds the identity of the entry's task
  v_other    text;
  v_entry    record;
begin
  p_limit   := coalesce(p_limit, 100);
  p_dry_run := coalesce(p_dry_run, false);
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_given_name('actor', p_actor, 200);
  perform tasker.check_bulk(p_notes, p_limit, p_dry_run);

  v_found := array(
    select row(
             d.dlq_entry_uuid, d.task_uuid, d.task_snapshot #>> '{task,namespace}', d.task_snapshot #>> '{task,name}',
             d.task_snapshot #>> '{task,version}', d.dlq_reason, d.dlq_timestamp,
             (select t.state from tasker.tasks as t where t.task_uuid = d.task_uuid), 'matched'
           )::tasker.dlq_requeues
      from tasker.tasks_dlq as d
     where d.resolution_status = 'pending'
       and (p_reason is null or d.dlq_reason = p_reason)
       and (p_namespace is null or d.task_snapshot #>> '{task,namespace}' = p_namespace)
       and (v_bound is null or d.task_snapshot #>> '{task,namespace}' = any (v_bound))
       and d.dlq_entry_uuid > coalesce(p_after, uuid '00000000-0000-0000-0000-000000000000')
     order by d.dlq_entry_uuid
     limit p_limit
  );
  if not p_dry_run then
    perform tasker.check_recent_sign_in();
    v_locked := tasker.lock_tasks(array(select f.task_uuid from unnest(v_found) as f));
    for v_entry in
      select f.dlq_entry_uuid, t.task, (t.task).state in ('complete', 'cancelled', 'resolved_manually') or (t.task).erased_at is not null as ended
        from unnest(v_found) as f
       cross join lateral (
         select t as task
           from tasker.tasks as t
          where t.task_uuid = f.task_uuid
            and t.task_uuid = any (v_locked)
         offset 0
       ) as t
       order by f.task_uuid
    loop
      v_other := case when not v_entry.ended then tasker.regain_identity(v_entry.task) end;
      if v_entry.ended then
        v_ended := v_ended || v_entry.dlq_entry_uuid;
      elsif v_other = 'locked' then
        v_busy := v_busy || v_entry.dlq_entry_uuid;
      elsif v_other is not null then
        v_kept := v_kept || v_entry.dlq_entry_uuid;
      elsif tasker.requeue_dlq_entry(v_entry.dlq_entry_uuid, p_notes, p_actor) then
        v_requeued := v_requeued || v_entry.dlq_entry_uuid;
      end if;
    end loop;
  end if;

  return query
  select
    f.dlq_entry_uuid, f.task_uuid, f.namespace, f.name, f.version, f.dlq_reason, f.dlq_timestamp, f.current_state,
    case
      when p_dry_run then 'matched'
      when f.dlq_entry_uuid = any (v_requeued) then 'requeued'
      when f.dlq_entry_uuid = any (v_ended) or f.current_state is null then 'ended'
      when f.dlq_entry_uuid = any (v_kept) then 'duplicate'
      when f.dlq_entry_uuid = any (v_busy) then 'locked'
      when f.task_uuid = any (v_locked) then 'closed'
      else 'locked'
    end
  from unnest(v_found) as f
  order by f.dlq_entry_uuid;
end;
$$;

comment on function tasker.requeue_dlq_entries is
$$Requeues the open investigations that match all given filters, as requeue_dlq_entry does, the oldest first. p_reason
selects investigations by the reason for which they were opened. Returns a row for each investigation with its outcome.
With p_dry_run the function returns the batch without changing it. A bound caller reaches only its own namespaces.

Each call does one batch, in a transaction of its own unless the caller has begun one. A batch has p_limit entries
(default 100, at most 1,000). For the next batch, pass the last entry of this batch as p_after. Locks the tasks, then
their entries and steps. Does not wait for a task. If another transaction holds a task, the outcome of that task is
"locked". Raises TK428 if the caller is a person whose sign-in is too old. Raises TK422 without notes or for a limit out
of range, TK413 for notes of more than 1,000 characters, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.requeue_dlq_entries to tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/inspect/find_dlq_entries_by_short_id.sql
create or replace function tasker.find_dlq_entries_by_short_id(p_short_id text)
  returns setof uuid
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_digits text   := tasker.check_short_id(p_short_id);
  v_bound  text[] := tasker.bound_namespaces();
begin
  return query
  select d.dlq_entry_uuid
    from (
      select d.dlq_entry_uuid
        from tasker.tasks_dlq as d
       order by d.dlq_entry_uuid desc
       limit 200000
    ) as u
    join tasker.tasks_dlq as d
      on d.dlq_entry_uuid = u.dlq_entry_uuid
   where substr(u.dlq_entry_uuid::text, 25, length(v_digits)) = v_digits
     and (v_bound is null or d.task_snapshot #>> '{task,namespace}' = any (v_bound))
   order by d.dlq_entry_uuid desc
   limit 10;
end;
$$;

comment on function tasker.find_dlq_entries_by_short_id is
$$Returns the UUIDs of at most 10 investigations whose short id begins with these 4 to 8 digits, newest first. A bound
caller finds only entries of its own namespaces.

Searches the 200,000 newest investigations. Raises TK422 for a text that is no short id.$$;

grant execute on function tasker.find_dlq_entries_by_short_id to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/rows/operate/inspect/running_steps.sql
create or replace view tasker.running_steps as
select
  '00000000-0000-0000-0000-000000000000'::uuid as step_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as namespace,
  ''::text as task_name,
  ''::text as task_version,
  ''::text as step_name,
  ''::text as handler,
  0::integer as attempts,
  0::integer as max_attempts,
  '-infinity'::timestamptz as started_at,
  '-infinity'::timestamptz as lease_until,
  null::uuid as worker_uuid,
  null::text as worker_name
where false;

comment on view tasker.running_steps is
  'Row type: a step that a worker runs.';
comment on column tasker.running_steps.worker_name is
  'The worker''s UUID if it has not registered. Null if the worker is not known.';
-- <<<

-- >>> db/schema/functions/operate/inspect/list_running_steps.sql
create or replace function tasker.list_running_steps(p_namespace text default null, p_limit integer default null)
  returns setof tasker.running_steps
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
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_page_size(p_limit);
  return query
  with leased as (
    -- The rows of each handler are in the order of their times. The rows of running steps, with the ends of their
    -- leases, follow the ready rows, which are not read.
    select q.task_uuid, q.step_no
      from tasker.queue_groups(array(
        select n.name
          from tasker.task_namespaces as n
         where (p_namespace is null or n.name = p_namespace)
           and (v_bound is null or n.name = any (v_bound))
      )) as g
     cross join lateral (
       select q.task_uuid, q.step_no
         from tasker.step_queue as q
        where q.namespace = g.namespace
          and q.lane = g.lane
          and q.named_step_uuid = g.named_step_uuid
          and q.visible_at > tasker.clock()
        order by q.visible_at
        limit 10000
     ) as q
     limit 10000
  )
  select
    s.workflow_step_uuid, s.task_uuid, n.name, k.name, k.version, s.name, h.name,
    s.attempts, s.max_attempts, s.last_attempted_at, s.lease_until, s.worker_uuid, w.name::text
  from leased as l
  cross join lateral (
    select s.*
      from tasker.workflow_steps as s
     where s.task_uuid = l.task_uuid
       and s.step_no = l.step_no
       and s.state = 'in_progress'
    offset 0
  ) as s
  cross join lateral (
    select t.named_task_uuid
      from tasker.tasks as t
     where t.task_uuid = l.task_uuid
    offset 0
  ) as t
  join tasker.named_tasks as k
    on k.named_task_uuid = t.named_task_uuid
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = k.task_namespace_uuid
  join tasker.named_steps as h
    on h.named_step_uuid = s.named_step_uuid
  left join tasker.workers as w
    on w.worker_uuid = s.worker_uuid
  order by s.last_attempted_at, s.workflow_step_uuid
  limit coalesce(p_limit, 100);
end;
$$;

comment on function tasker.list_running_steps is
$$Returns the steps that workers are running, the step that has run longest first. With p_namespace, returns only the
steps of this namespace. A bound caller sees only its own namespaces.

Returns up to p_limit rows (default 100, at most 10,000). Reads the queue rows of at most 10,000 running steps, and no
rows of ready steps. Leaves out a step whose lease has ended, because it waits to be claimed again. Raises TK422 for a
limit out of range, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_running_steps to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/dead_letters/get_dlq_dashboard.sql
create or replace function tasker.get_dlq_dashboard()
  returns setof tasker.dlq_reasons
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  return query
  select
    d.dlq_reason,
    count(*),
    count(*) filter (where d.resolution_status = 'pending'),
    count(*) filter (where d.resolution_status = 'manually_resolved'),
    count(*) filter (where d.resolution_status = 'permanently_failed'),
    count(*) filter (where d.resolution_status = 'cancelled'),
    min(d.dlq_timestamp),
    max(d.dlq_timestamp),
    round(avg(extract(epoch from d.resolution_timestamp - d.dlq_timestamp) / 60), 2)
  from tasker.tasks_dlq as d
  where (v_bound is null or d.task_snapshot #>> '{task,namespace}' = any (v_bound))
  group by d.dlq_reason
  order by d.dlq_reason;
end;
$$;

comment on function tasker.get_dlq_dashboard is
$$Returns for each reason the entries of the dead-letter queue: how many are open or ended in which way, the times of
the oldest and the newest entry, and how long it took to end entries. A bound caller sees only its own namespaces.$$;

grant execute on function tasker.get_dlq_dashboard to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/dead_letters/get_dlq_investigation_queue.sql
create or replace function tasker.get_dlq_investigation_queue(p_limit integer default null)
  returns setof tasker.dlq_investigations
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  perform tasker.check_page_size(p_limit);
  return query
  select
    d.dlq_entry_uuid,
    d.task_uuid,
    d.task_snapshot #>> '{task,namespace}',
    d.task_snapshot #>> '{task,name}',
    d.original_state,
    d.dlq_reason,
    d.dlq_timestamp,
    w.minutes,
    w.minutes + case d.dlq_reason
      when 'dependency_cycle_detected' then 1000
      when 'max_retries_exceeded' then 500
      when 'staleness_timeout' then 100
      when 'worker_unavailable' then 50
      else 10
    end as priority_score,
    d.resolution_notes,
    d.metadata
  from tasker.tasks_dlq as d
  cross join lateral (select round(extract(epoch from tasker.clock() - d.dlq_timestamp) / 60, 2) as minutes) as w
  where d.resolution_status = 'pending'
    and (v_bound is null or d.task_snapshot #>> '{task,namespace}' = any (v_bound))
  order by 9 desc, d.dlq_entry_uuid
  limit coalesce(p_limit, 100);
end;
$$;

comment on function tasker.get_dlq_investigation_queue is
$$Returns up to p_limit open investigations (default 100, at most 10,000), the most urgent first. The urgency depends on
the reason, and then on how long the investigation has waited. Raises TK422 for a limit out of range. A bound caller
sees only its own namespaces.$$;

grant execute on function tasker.get_dlq_investigation_queue
  to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121001400', 'functions/compat/orchestrator/get_next_ready_task 687e30a7380b74dc
functions/compat/orchestrator/get_next_ready_tasks bccca6f58cc1e956
functions/compat/orchestrator/get_task_ready_info c727bd080afe020c
functions/compat/orchestrator/private/find_due_tasks b090116bfe7fdd15
functions/compat/orchestrator/private/find_resting_tasks 97a9410377f4f396
functions/compat/orchestrator/private/lock_undiscovered_tasks 4cb8b90c39a8fd5f
functions/kernel/access/private/check_page_size 87eda72cd4d9261e
functions/kernel/timer/private/rank_waiting_tasks 433b42ecaefc94ac
functions/kernel/timer/private/task_is_held d3c43356321ae51e
functions/operate/dead_letters/calculate_staleness_threshold eae977442a2f66cf
functions/operate/dead_letters/create_dlq_entry 5759ae26817a5e73
functions/operate/dead_letters/detect_and_transition_stale_tasks ba8e47a2e41f22fe
functions/operate/dead_letters/get_dlq_dashboard db5126fd15e21471
functions/operate/dead_letters/get_dlq_entry 9aa02b526240f31e
functions/operate/dead_letters/get_dlq_investigation_queue c54b3027a8c44e98
functions/operate/dead_letters/get_stale_tasks_for_dlq ac39317ff5460ece
functions/operate/dead_letters/get_task_staleness 8e293e7e664d7e44
functions/operate/dead_letters/list_dlq_entries 7b31ebc15d8ebc95
functions/operate/dead_letters/private/fail_stale_task 25e78261bb17edd4
functions/operate/dead_letters/private/insert_dlq_entry 27e5fc4a79aa19fc
functions/operate/dead_letters/private/open_task_staleness 90a2e61d32fec6f0
functions/operate/dead_letters/private/raise_dlq_entry_not_found 2256e69566e3432f
functions/operate/dead_letters/private/snapshot_row cb70ecc034d24049
functions/operate/dead_letters/private/staleness_reason aed545cfa5c0945e
functions/operate/dead_letters/private/staleness_threshold 0ebc14cd48ccdd5c
functions/operate/dead_letters/private/task_snapshot 45200a79bb4b3dc8
functions/operate/dead_letters/requeue_dlq_entries 07469df879d864c1
functions/operate/dead_letters/requeue_dlq_entry f968f2912ff5277e
functions/operate/dead_letters/resolve_dlq_entry a7895f0614a2a0d0
functions/operate/inspect/find_dlq_entries_by_short_id 885d53ff1f1744f6
functions/operate/inspect/get_task_execution_context 43516d12fd96aceb
functions/operate/inspect/get_task_execution_contexts 420caea5e13b530b
functions/operate/inspect/list_running_steps faa1a37a01410c4d
functions/operate/inspect/private/execution_status cd111714cdea37f5
functions/operate/inspect/private/recommended_action fe2c838a420bd254
functions/operate/inspect/private/task_contexts 85858c071fb568cc
functions/operate/inspect/private/task_readiness ba7ad841a42df692
rows/compat/orchestrator/ready_tasks 611a654894b394f3
rows/operate/dead_letters/dlq_entries 68acdbbfc4e68f7b
rows/operate/dead_letters/dlq_investigations 2c03c76c47895d28
rows/operate/dead_letters/dlq_reasons bcf5947c10a47fd3
rows/operate/dead_letters/dlq_requeues b9256315fb292d87
rows/operate/dead_letters/stale_task_actions 900266ece18e8b05
rows/operate/dead_letters/task_staleness 306640e34ff16ee5
rows/operate/inspect/running_steps ff04536d6c5ebb62
rows/operate/inspect/task_execution_contexts aa4d417191f8eeb1
');

select tasker.note_objects();

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121001400';

drop function tasker.get_dlq_investigation_queue;
drop function tasker.get_dlq_dashboard;
drop function tasker.list_running_steps;
drop view tasker.running_steps;
drop function tasker.find_dlq_entries_by_short_id;
drop function tasker.requeue_dlq_entries;
drop view tasker.dlq_requeues;
drop function tasker.requeue_dlq_entry;
drop function tasker.resolve_dlq_entry;
drop function tasker.get_dlq_entry;
drop function tasker.list_dlq_entries;
drop function tasker.create_dlq_entry;
drop function tasker.detect_and_transition_stale_tasks;
drop function tasker.get_stale_tasks_for_dlq;
drop function tasker.get_task_staleness;
drop function tasker.calculate_staleness_threshold;
drop function tasker.raise_dlq_entry_not_found;
drop function tasker.fail_stale_task;
drop function tasker.insert_dlq_entry;
drop function tasker.task_snapshot;
drop function tasker.snapshot_row;
drop function tasker.open_task_staleness;
drop function tasker.staleness_reason;
drop view tasker.dlq_investigations;
drop view tasker.dlq_reasons;
drop view tasker.dlq_entries;
drop view tasker.stale_task_actions;
drop view tasker.task_staleness;
drop function tasker.check_page_size;
drop function tasker.get_task_execution_contexts;
drop function tasker.get_task_execution_context;
drop function tasker.task_contexts;
drop function tasker.recommended_action;
drop function tasker.execution_status;
drop view tasker.task_execution_contexts;
drop function tasker.get_task_ready_info;
drop function tasker.get_next_ready_task;
drop function tasker.get_next_ready_tasks;
drop function tasker.task_is_held;
drop function tasker.rank_waiting_tasks;
drop function tasker.find_resting_tasks;
drop function tasker.lock_undiscovered_tasks;
drop function tasker.find_due_tasks;
drop function tasker.task_readiness;
drop function tasker.staleness_threshold;
drop view tasker.ready_tasks;

select tasker.note_objects();

reset role;
