-- The rows that a drained task of one step leaves behind, written by bare statements: what the tables, their
-- indexes and partitions cost, without triggers (the caller switches them off), guards, locks, and anything being decided.
create table public.rows_of_jobs (task_uuids uuid[] not null);

create function public.create_rows_of_jobs(p_tasks integer)
  returns void
  language plpgsql
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
as $$
declare
  v_now    timestamptz := clock_timestamp();
  v_tasks  uuid[]      := array(select tasker.mint_task_uuid() from generate_series(1, p_tasks) order by 1);
begin
  insert into tasker.tasks (task_uuid, named_task_uuid, state, total_steps, open_steps, active_steps, correlation_id, context)
  select t.task_uuid, k.named_task_uuid, 'steps_in_process', 1, 1, 1, t.task_uuid, '{"order": 4711}'
    from unnest(v_tasks) as t (task_uuid)
   cross join tasker.named_tasks as k
   where k.name = 'job';
  insert into tasker.workflow_steps (task_uuid, step_no, workflow_step_uuid, named_step_uuid, name, state, transition_count, total_parents, pending_parents, created_at)
  select t.task_uuid, s.step_no, tasker.step_uuid(t.task_uuid, s.step_no), s.named_step_uuid, s.step_name, 'enqueued', 1, 0, 0, v_now
    from unnest(v_tasks) as t (task_uuid)
   cross join tasker.named_tasks as k
    join tasker.named_tasks_named_steps as s
      on s.named_task_uuid = k.named_task_uuid
   where k.name = 'job';
  insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, visible_at)
  select s.task_uuid, s.step_no, 'bench', 'normal', s.named_step_uuid, v_now
    from unnest(v_tasks) as t (task_uuid)
    join tasker.workflow_steps as s
      on s.task_uuid = t.task_uuid;
  truncate public.rows_of_jobs;
  insert into public.rows_of_jobs (task_uuids) values (v_tasks);
end;
$$;

create function public.drain_rows_of_jobs()
  returns void
  language plpgsql
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
as $$
declare
  v_now    timestamptz := clock_timestamp();
  v_worker uuid        := gen_random_uuid();
  v_tasks  uuid[]      := (select r.task_uuids from public.rows_of_jobs as r);
begin
  update tasker.step_queue as q
     set lane = 'running', claim_no = 1, visible_at = v_now + interval '1 minute'
    from unnest(v_tasks) as u (task_uuid)
   where q.task_uuid = any (array[u.task_uuid])
     and q.step_no = 1;
  update tasker.workflow_steps as s
     set state = 'in_progress', transition_count = 2, claim_no = 1, attempts = 1, worker_uuid = v_worker,
         lease_until = v_now + interval '1 minute', last_attempted_at = v_now
    from unnest(v_tasks) as u (task_uuid)
   where s.task_uuid = any (array[u.task_uuid])
     and s.step_no = 1;
  insert into tasker.workflow_step_transition_log (
    task_uuid, step_no, sort_key, event, from_state, to_state, claim_no, worker_uuid, created_at
  )
  select u.task_uuid, 1, 2, 'Start', 'enqueued', 'in_progress', 1, v_worker, v_now
    from unnest(v_tasks) as u (task_uuid);

  update tasker.workflow_steps as s
     set state = 'complete', transition_count = 4, lease_until = null, processed_at = v_now, results = '{"ok": true}'
    from unnest(v_tasks) as u (task_uuid)
   where s.task_uuid = any (array[u.task_uuid])
     and s.step_no = 1;
  delete from tasker.step_queue as q
   using unnest(v_tasks) as u (task_uuid)
   where q.task_uuid = any (array[u.task_uuid])
     and q.step_no = 1;
  insert into tasker.workflow_step_transition_log (
    task_uuid, step_no, sort_key, event, from_state, to_state, claim_no, worker_uuid, created_at
  )
  select u.task_uuid, 1, m.sort_key, m.event, m.from_state::tasker.step_state, m.to_state::tasker.step_state, 1, v_worker, v_now
    from unnest(v_tasks) as u (task_uuid)
   cross join (values
     (3, 'EnqueueForOrchestration', 'in_progress', 'enqueued_for_orchestration'),
     (4, 'Complete', 'enqueued_for_orchestration', 'complete')
   ) as m (sort_key, event, from_state, to_state);

  update tasker.tasks as t
     set open_steps = 0, active_steps = 0, state = 'complete', complete = true, completed_at = v_now, started_at = v_now, updated_at = v_now
    from unnest(v_tasks) as u (task_uuid)
   where t.task_uuid = any (array[u.task_uuid]);
  insert into tasker.task_transition_log (task_uuid, sort_key, event, from_state, to_state, created_at)
  select t.task_uuid, 3 + p.position, p.event, p.from_state, p.to_state, v_now
    from unnest(v_tasks) as t (task_uuid)
   cross join tasker.task_paths as p
   where p.outcome = 'complete'
     and p.start_state = 'steps_in_process';
end;
$$;
