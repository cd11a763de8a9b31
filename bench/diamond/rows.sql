-- The rows that diamonds leave behind, written by bare statements: what the tables, their indexes, constraints
-- and partitions cost, without triggers (the caller switches them off), guards, locks, and anything being decided.
create function public.write_rows_of_diamonds(p_tasks integer)
  returns integer
  language plpgsql
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
as $$
declare
  v_now     timestamptz := clock_timestamp();
  v_worker  uuid        := gen_random_uuid();
  v_tasks   uuid[]      := array(select tasker.mint_task_uuid() from generate_series(1, p_tasks) order by 1);
  v_uuids   uuid[];
  v_numbers integer[];
begin
  insert into tasker.tasks (task_uuid, named_task_uuid, state, total_steps, open_steps, active_steps, correlation_id, context)
  select t.task_uuid, k.named_task_uuid, 'steps_in_process', 7, 7, 1, t.task_uuid, '{"order": 4711}'
    from unnest(v_tasks) as t (task_uuid)
   cross join tasker.named_tasks as k
   where k.name = 'diamond';
  insert into tasker.task_transition_log (task_uuid, sort_key, event, from_state, to_state, created_at)
  select t.task_uuid, p.position, p.event, p.from_state, p.to_state, v_now
    from unnest(v_tasks) as t (task_uuid)
   cross join tasker.task_paths as p
   where p.outcome = 'enqueued'
     and p.start_state = 'pending';
  insert into tasker.workflow_steps (task_uuid, step_no, workflow_step_uuid, named_step_uuid, name, total_parents, pending_parents, created_at)
  select t.task_uuid, s.step_no, tasker.step_uuid(t.task_uuid, s.step_no), s.named_step_uuid, s.step_name, s.total_parents, s.total_parents, v_now
    from unnest(v_tasks) as t (task_uuid)
   cross join tasker.named_tasks as k
    join tasker.named_tasks_named_steps as s
      on s.named_task_uuid = k.named_task_uuid
   where k.name = 'diamond';

  -- One step, the five in the middle, the one that joins them.
  for v_turn in 1 .. 3 loop
    select array_agg(t.task_uuid), array_agg(n)
      into v_uuids, v_numbers
      from unnest(v_tasks) as t (task_uuid)
     cross join generate_series((array[1, 2, 7])[v_turn], (array[1, 6, 7])[v_turn]) as n;

    update tasker.workflow_steps as s
       set state = 'enqueued', transition_count = 1, pending_parents = 0, satisfied_parents = s.total_parents
      from unnest(v_uuids, v_numbers) as u (task_uuid, step_no)
     where s.task_uuid = any (array[u.task_uuid])
       and s.step_no = u.step_no
       and v_turn > 1;
    insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, visible_at)
    select u.task_uuid, u.step_no, 'bench', 'normal', v_worker, v_now
      from unnest(v_uuids, v_numbers) as u (task_uuid, step_no);
    insert into tasker.workflow_step_transition_log (task_uuid, step_no, sort_key, event, from_state, to_state, created_at)
    select u.task_uuid, u.step_no, 1, 'Enqueue', 'pending', 'enqueued', v_now
      from unnest(v_uuids, v_numbers) as u (task_uuid, step_no);

    update tasker.step_queue as q
       set lane = 'running', claim_no = 1, visible_at = v_now + interval '1 minute'
      from unnest(v_uuids, v_numbers) as u (task_uuid, step_no)
     where q.task_uuid = any (array[u.task_uuid])
       and q.step_no = u.step_no;
    update tasker.workflow_steps as s
       set state = 'in_progress', transition_count = 2, claim_no = 1, attempts = 1, worker_uuid = v_worker,
           lease_until = v_now + interval '1 minute', last_attempted_at = v_now
      from unnest(v_uuids, v_numbers) as u (task_uuid, step_no)
     where s.task_uuid = any (array[u.task_uuid])
       and s.step_no = u.step_no;
    insert into tasker.workflow_step_transition_log (
      task_uuid, step_no, sort_key, event, from_state, to_state, claim_no, worker_uuid, created_at
    )
    select u.task_uuid, u.step_no, 2, 'Start', 'enqueued', 'in_progress', 1, v_worker, v_now
      from unnest(v_uuids, v_numbers) as u (task_uuid, step_no);

    update tasker.workflow_steps as s
       set state = 'complete', transition_count = 4, lease_until = null, processed_at = v_now, results = '{"ok": true}'
      from unnest(v_uuids, v_numbers) as u (task_uuid, step_no)
     where s.task_uuid = any (array[u.task_uuid])
       and s.step_no = u.step_no;
    delete from tasker.step_queue as q
     using unnest(v_uuids, v_numbers) as u (task_uuid, step_no)
     where q.task_uuid = any (array[u.task_uuid])
       and q.step_no = u.step_no;
    insert into tasker.workflow_step_transition_log (
      task_uuid, step_no, sort_key, event, from_state, to_state, claim_no, worker_uuid, created_at
    )
    select u.task_uuid, u.step_no, m.sort_key, m.event, m.from_state::tasker.step_state, m.to_state::tasker.step_state, 1, v_worker, v_now
      from unnest(v_uuids, v_numbers) as u (task_uuid, step_no)
     cross join (values
       (3, 'EnqueueForOrchestration', 'in_progress', 'enqueued_for_orchestration'),
       (4, 'Complete', 'enqueued_for_orchestration', 'complete')
     ) as m (sort_key, event, from_state, to_state);

    update tasker.tasks as t
       set open_steps = (array[6, 1, 0])[v_turn], active_steps = (array[5, 1, 0])[v_turn],
           state = case when v_turn = 3 then 'complete' else 'steps_in_process' end::tasker.task_state,
           complete = v_turn = 3, completed_at = case when v_turn = 3 then v_now end, started_at = v_now, updated_at = v_now
      from unnest(v_tasks) as u (task_uuid)
     where t.task_uuid = any (array[u.task_uuid]);
    insert into tasker.task_transition_log (task_uuid, sort_key, event, from_state, to_state, created_at)
    select t.task_uuid, v_turn * 3 + p.position, p.event, p.from_state, p.to_state, v_now
      from unnest(v_tasks) as t (task_uuid)
     cross join tasker.task_paths as p
     where p.outcome = case when v_turn = 3 then 'complete' else 'enqueued' end
       and p.start_state = 'steps_in_process';
  end loop;
  return 7 * p_tasks;
end;
$$;
