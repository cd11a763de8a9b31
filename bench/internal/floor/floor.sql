-- Writes the rows that calls of the engine leave behind, by the plainest statements: by key for one result and one claim, and
-- by set for many results. The rows come from a recording (record.go), so this file decides nothing. If p_log is true, writes
-- the rows of the two logs, too. If p_look is true, searches the steps to claim and locks their tasks, as an engine must.
create or replace function public.floor_exchange_one(
  p_worker       uuid,
  p_known        boolean,
  p_request      uuid,
  p_task         uuid,
  p_step_no      integer,
  p_claim_no     integer,
  p_result       jsonb,
  p_children     integer[],
  p_child_state  tasker.step_state,
  p_handlers     uuid[],
  p_task_state   tasker.task_state,
  p_open         integer,
  p_active       integer,
  p_logged       integer,
  p_sort_keys    integer[],
  p_paths        integer[],
  p_metadata     jsonb[],
  p_outcomes     jsonb[],
  p_next_task    uuid,
  p_next_step    integer,
  p_next_claim   integer,
  p_log          boolean,
  p_look         boolean
)
  returns integer
  language plpgsql
as $$
declare
  v_now   timestamptz := clock_timestamp();
  v_found integer;
begin
  if p_task is not null then
    if p_look then
      select t.open_steps into v_found from tasker.tasks as t where t.task_uuid = p_task for no key update;
      select count(*) into v_found
        from tasker.named_task_edges as e
       where e.named_task_uuid = (select t.named_task_uuid from tasker.tasks as t where t.task_uuid = p_task)
         and e.from_step_no = p_step_no;
    end if;
    update tasker.workflow_steps as s
       set state = 'complete', transition_count = s.transition_count + 2, moved_at = v_now, lease_until = null, processed_at = v_now,
           results = p_result
     where s.task_uuid = p_task
       and s.step_no = p_step_no;
    if p_log then
      insert into tasker.step_log (
        task_uuid, step_no, sort_key, path, claim_no, execution_time_ms, worker_uuid, result_digest, created_at
      )
      values (p_task, p_step_no, 4, 47, p_claim_no, 7, p_worker, tasker.result_digest(p_result), v_now);
    end if;
    delete from tasker.step_queue as q where q.task_uuid = p_task and q.step_no = p_step_no;
    if p_children is not null then
      update tasker.workflow_steps as s
         set state = p_child_state, transition_count = s.transition_count + (p_child_state = 'enqueued')::integer, moved_at = v_now,
             pending_parents = s.pending_parents - 1, satisfied_parents = s.satisfied_parents + 1
       where s.task_uuid = p_task
         and s.step_no = any (p_children);
      if p_handlers is not null then
        if p_log then
          insert into tasker.step_log (task_uuid, step_no, sort_key, path, login, created_at)
          select p_task, u.step_no, 1, 1, 'postgres', v_now
            from unnest(p_children) as u (step_no);
        end if;
        insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, visible_at)
        select p_task, u.step_no, 'bench', 'normal', u.handler, v_now
          from unnest(p_children, p_handlers) as u (step_no, handler);
      end if;
    end if;
    if p_log and p_sort_keys is not null then
      insert into tasker.task_log (
        task_uuid, sort_key, path, processor_uuid, login, metadata, outcome, created_at
      )
      select p_task, u.sort_key, u.path, p_worker, 'postgres', u.metadata, u.outcome, v_now
        from unnest(p_sort_keys, p_paths, p_metadata, p_outcomes) as u (sort_key, path, metadata, outcome);
    end if;
    update tasker.tasks as t
       set state = p_task_state, open_steps = p_open, active_steps = p_active, transition_count = p_logged, updated_at = v_now,
           complete = p_open = 0, completed_at = case when p_open = 0 then v_now end
     where t.task_uuid = p_task;
  end if;

  if p_next_task is not null then
    if p_look then
      select q.step_no
        into v_found
        from tasker.step_queue as q
       where q.namespace = 'bench'
         and q.lane = 'normal'
         and q.visible_at <= v_now
       order by q.namespace, q.lane, q.named_step_uuid, q.visible_at
       limit 1
         for update skip locked;
    end if;
    update tasker.step_queue as q
       set lane = 'running', claim_no = p_next_claim, visible_at = v_now + interval '1 minute'
     where q.task_uuid = p_next_task
       and q.step_no = p_next_step;
    update tasker.workflow_steps as s
       set state = 'in_progress', transition_count = s.transition_count + 1, moved_at = v_now, claim_no = p_next_claim,
           attempts = s.attempts + 1, worker_uuid = p_worker, claim_login = 'postgres', last_attempted_at = v_now,
           lease_until = v_now + interval '1 minute', lease_seconds = 60
     where s.task_uuid = p_next_task
       and s.step_no = p_next_step;
    if p_log then
      insert into tasker.step_log (
        task_uuid, step_no, sort_key, path, claim_no, worker_uuid, login, created_at
      )
      values (p_next_task, p_next_step, 2, 3, p_next_claim, p_worker, 'postgres', v_now);
    end if;
    if p_known then
      update tasker.workers as w
         set last_seen_at = v_now, claimed_count = w.claimed_count + 1, request_uuid = p_request,
             request_steps = array[p_next_task], request_claim_nos = array[p_next_claim]
       where w.worker_uuid = p_worker;
    else
      insert into tasker.workers (worker_uuid, name, claimed_count, request_uuid, request_steps, request_claim_nos)
      values (p_worker, p_worker::text, 1, p_request, array[p_next_task], array[p_next_claim]);
    end if;
  end if;
  return v_found;
end;
$$;

create or replace function public.floor_exchange_many(
  p_worker       uuid,
  p_known        boolean,
  p_request      uuid,
  -- results
  p_tasks        uuid[],
  p_steps        integer[],
  p_claims       integer[],
  p_results      jsonb[],
  -- children
  p_c_tasks      uuid[],
  p_c_steps      integer[],
  p_c_states     tasker.step_state[],
  p_c_pending    integer[],
  p_c_satisfied  integer[],
  p_c_handlers   uuid[],
  -- tasks
  p_t_tasks      uuid[],
  p_t_states     tasker.task_state[],
  p_t_open       integer[],
  p_t_active     integer[],
  p_t_logged     integer[],
  -- the tasks' log
  p_l_tasks      uuid[],
  p_l_sort_keys  integer[],
  p_l_paths      integer[],
  p_l_metadata   jsonb[],
  p_l_outcomes   jsonb[],
  -- claims
  p_n_tasks      uuid[],
  p_n_steps      integer[],
  p_n_claims     integer[],
  p_log          boolean,
  p_look         boolean
)
  returns integer
  language plpgsql
as $$
declare
  v_now   timestamptz := clock_timestamp();
  v_found integer;
begin
  if p_tasks is not null then
    if p_look then
      select count(*) into v_found
        from unnest(p_t_tasks) as u (task_uuid)
       cross join lateral (select t.open_steps from tasker.tasks as t where t.task_uuid = u.task_uuid for no key update) as t;
      select count(*) into v_found
        from unnest(p_tasks, p_steps) as u (task_uuid, step_no)
        join tasker.tasks as t
          on t.task_uuid = u.task_uuid
        join tasker.named_task_edges as e
          on e.named_task_uuid = t.named_task_uuid
         and e.from_step_no = u.step_no;
    end if;
    update tasker.workflow_steps as s
       set state = 'complete', transition_count = s.transition_count + 2, moved_at = v_now, lease_until = null, processed_at = v_now,
           results = u.result
      from unnest(p_tasks, p_steps, p_results) as u (task_uuid, step_no, result)
     where s.task_uuid = any (array[u.task_uuid])
       and s.step_no = u.step_no;
    if p_log then
      insert into tasker.step_log (
        task_uuid, step_no, sort_key, path, claim_no, execution_time_ms, worker_uuid, result_digest, created_at
      )
      select u.task_uuid, u.step_no, 4, 47, u.claim_no, 7, p_worker, tasker.result_digest(u.result), v_now
      from unnest(p_tasks, p_steps, p_claims, p_results) as u (task_uuid, step_no, claim_no, result);
    end if;
    delete from tasker.step_queue as q
     using unnest(p_tasks, p_steps) as u (task_uuid, step_no)
     where q.task_uuid = any (array[u.task_uuid])
       and q.step_no = u.step_no;
    if p_c_tasks is not null then
      update tasker.workflow_steps as s
         set state = u.state, transition_count = s.transition_count + (u.state = 'enqueued')::integer, moved_at = v_now,
             pending_parents = u.pending, satisfied_parents = u.satisfied
        from unnest(p_c_tasks, p_c_steps, p_c_states, p_c_pending, p_c_satisfied) as u (task_uuid, step_no, state, pending, satisfied)
       where s.task_uuid = any (array[u.task_uuid])
         and s.step_no = u.step_no;
      if p_log then
        insert into tasker.step_log (task_uuid, step_no, sort_key, path, login, created_at)
        select u.task_uuid, u.step_no, 1, 1, 'postgres', v_now
          from unnest(p_c_tasks, p_c_steps, p_c_states) as u (task_uuid, step_no, state)
         where u.state = 'enqueued';
      end if;
      insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, visible_at)
      select u.task_uuid, u.step_no, 'bench', 'normal', u.handler, v_now
        from unnest(p_c_tasks, p_c_steps, p_c_states, p_c_handlers) as u (task_uuid, step_no, state, handler)
       where u.state = 'enqueued';
    end if;
    if p_log and p_l_tasks is not null then
      insert into tasker.task_log (
        task_uuid, sort_key, path, processor_uuid, login, metadata, outcome, created_at
      )
      select u.task_uuid, u.sort_key, u.path, p_worker, 'postgres', u.metadata, u.outcome, v_now
        from unnest(p_l_tasks, p_l_sort_keys, p_l_paths, p_l_metadata, p_l_outcomes) as u (task_uuid, sort_key, path, metadata, outcome);
    end if;
    update tasker.tasks as t
       set state = u.state, open_steps = u.open, active_steps = u.active, transition_count = u.logged, updated_at = v_now,
           complete = u.open = 0, completed_at = case when u.open = 0 then v_now end
      from unnest(p_t_tasks, p_t_states, p_t_open, p_t_active, p_t_logged) as u (task_uuid, state, open, active, logged)
     where t.task_uuid = any (array[u.task_uuid]);
  end if;

  if p_n_tasks is not null then
    if p_look then
      select count(*) into v_found
        from (
          select
            from tasker.step_queue as q
           where q.namespace = 'bench'
             and q.lane = 'normal'
             and q.visible_at <= v_now
           order by q.namespace, q.lane, q.named_step_uuid, q.visible_at
           limit cardinality(p_n_tasks)
             for update skip locked
        ) as q;
    end if;
    update tasker.step_queue as q
       set lane = 'running', claim_no = u.claim_no, visible_at = v_now + interval '1 minute'
      from unnest(p_n_tasks, p_n_steps, p_n_claims) as u (task_uuid, step_no, claim_no)
     where q.task_uuid = any (array[u.task_uuid])
       and q.step_no = u.step_no;
    update tasker.workflow_steps as s
       set state = 'in_progress', transition_count = s.transition_count + 1, moved_at = v_now, claim_no = u.claim_no,
           attempts = s.attempts + 1, worker_uuid = p_worker, claim_login = 'postgres', last_attempted_at = v_now,
           lease_until = v_now + interval '1 minute', lease_seconds = 60
      from unnest(p_n_tasks, p_n_steps, p_n_claims) as u (task_uuid, step_no, claim_no)
     where s.task_uuid = any (array[u.task_uuid])
       and s.step_no = u.step_no;
    if p_log then
      insert into tasker.step_log (
        task_uuid, step_no, sort_key, path, claim_no, worker_uuid, login, created_at
      )
      select u.task_uuid, u.step_no, 2, 3, u.claim_no, p_worker, 'postgres', v_now
        from unnest(p_n_tasks, p_n_steps, p_n_claims) as u (task_uuid, step_no, claim_no);
    end if;
    if p_known then
      update tasker.workers as w
         set last_seen_at = v_now, claimed_count = w.claimed_count + cardinality(p_n_tasks), request_uuid = p_request,
             request_steps = p_n_tasks, request_claim_nos = p_n_claims
       where w.worker_uuid = p_worker;
    else
      insert into tasker.workers (worker_uuid, name, claimed_count, request_uuid, request_steps, request_claim_nos)
      values (p_worker, p_worker::text, cardinality(p_n_tasks), p_request, p_n_tasks, p_n_claims);
    end if;
  end if;
  return v_found;
end;
$$;

-- Writes the rows of a new task of a template. If p_claim_no is not null, the task starts and its first step is claimed.
create or replace function public.floor_create_one(
  p_task      uuid,
  p_template  uuid,
  p_steps     integer,
  p_handler   uuid,
  p_context   jsonb,
  p_worker    uuid,
  p_claim_no  integer,
  p_log       boolean
)
  returns void
  language plpgsql
as $$
declare
  v_now   timestamptz := clock_timestamp();
  v_until timestamptz := case when p_claim_no is not null then v_now + interval '1 minute' end;
begin
  insert into tasker.tasks (
    task_uuid, named_task_uuid, state, total_steps, open_steps, active_steps, transition_count, requested_at, updated_at, started_at,
    correlation_id, login, context
  )
  values (p_task, p_template, 'steps_in_process', p_steps, p_steps, 1, 3, v_now, v_now, v_now, p_task, 'postgres', p_context);
  insert into tasker.workflow_steps (
    task_uuid, step_no, workflow_step_uuid, named_step_uuid, name, state, total_parents, pending_parents, max_attempts, transition_count,
    created_at, moved_at, inputs, claim_no, attempts, worker_uuid, claim_login, last_attempted_at, lease_until, lease_seconds
  )
  select
    p_task, s.step_no, tasker.step_uuid(p_task, s.step_no), s.named_step_uuid, s.step_name,
    case when s.step_no > 1 then 'pending' when v_until is null then 'enqueued' else 'in_progress' end::tasker.step_state,
    s.total_parents, s.total_parents, s.max_attempts, case when s.step_no > 1 then 0 when v_until is null then 1 else 2 end,
    v_now, v_now, s.initialization,
    case when s.step_no = 1 then coalesce(p_claim_no, 0) else 0 end, case when s.step_no = 1 and v_until is not null then 1 else 0 end,
    case when s.step_no = 1 then p_worker end, case when s.step_no = 1 and v_until is not null then 'postgres' end,
    case when s.step_no = 1 and v_until is not null then v_now end, case when s.step_no = 1 then v_until end,
    case when s.step_no = 1 and v_until is not null then 60 end
  from tasker.named_tasks_named_steps as s
  where s.named_task_uuid = p_template;
  insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, claim_no, visible_at)
  values (
    p_task, 1, 'bench', case when v_until is null then 'normal' else 'running' end::tasker.queue_lane, p_handler, coalesce(p_claim_no, 0),
    coalesce(v_until, v_now)
  );
  if p_log then
    insert into tasker.step_log (task_uuid, step_no, sort_key, path, created_at)
    values (p_task, 1, 1, 1, v_now);
    if v_until is not null then
      insert into tasker.step_log (
        task_uuid, step_no, sort_key, path, claim_no, worker_uuid, created_at
      )
      values (p_task, 1, 2, 3, p_claim_no, p_worker, v_now);
    end if;
    insert into tasker.task_log (task_uuid, sort_key, path, outcome, created_at)
    values (p_task, 3, 38, '{"count": 1, "step_nos": [1]}', v_now);
  end if;
end;
$$;

create or replace function public.floor_create_many(
  p_tasks     uuid[],
  p_template  uuid,
  p_steps     integer,
  p_handler   uuid,
  p_context   jsonb,
  p_log       boolean
)
  returns void
  language plpgsql
as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  insert into tasker.tasks (
    task_uuid, named_task_uuid, state, total_steps, open_steps, active_steps, transition_count, requested_at, updated_at, started_at,
    correlation_id, login, context
  )
  select u.task_uuid, p_template, 'steps_in_process', p_steps, p_steps, 1, 3, v_now, v_now, v_now, u.task_uuid, 'postgres', p_context
    from unnest(p_tasks) as u (task_uuid);
  insert into tasker.workflow_steps (
    task_uuid, step_no, workflow_step_uuid, named_step_uuid, name, state, total_parents, pending_parents, max_attempts, transition_count,
    created_at, moved_at, inputs
  )
  select
    u.task_uuid, s.step_no, tasker.step_uuid(u.task_uuid, s.step_no), s.named_step_uuid, s.step_name,
    case when s.step_no > 1 then 'pending' else 'enqueued' end::tasker.step_state,
    s.total_parents, s.total_parents, s.max_attempts, case when s.step_no > 1 then 0 else 1 end, v_now, v_now, s.initialization
  from unnest(p_tasks) as u (task_uuid)
  cross join tasker.named_tasks_named_steps as s
  where s.named_task_uuid = p_template;
  insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, visible_at)
  select u.task_uuid, 1, 'bench', 'normal', p_handler, v_now
    from unnest(p_tasks) as u (task_uuid);
  if p_log then
    insert into tasker.step_log (task_uuid, step_no, sort_key, path, created_at)
    select u.task_uuid, 1, 1, 1, v_now
      from unnest(p_tasks) as u (task_uuid);
    insert into tasker.task_log (task_uuid, sort_key, path, outcome, created_at)
    select u.task_uuid, 3, 38, '{"count": 1, "step_nos": [1]}', v_now
      from unnest(p_tasks) as u (task_uuid);
  end if;
end;
$$;

-- The recording: every row that a transaction writes.
create table if not exists public.floor_changes (
  no        bigint  not null  generated always as identity primary key,
  relation  text    not null,
  op        text    not null,
  row       jsonb   not null
);
create or replace function public.floor_note_change() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into public.floor_changes (relation, op, row) values (tg_argv[0], tg_op, to_jsonb(case when tg_op = 'DELETE' then old else new end));
  return null;
end;
$$;
