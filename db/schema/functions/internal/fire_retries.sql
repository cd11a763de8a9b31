create or replace function tasker.fire_retries(p_task_uuids uuid[], p_step_nos integer[])
  returns void
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
  v_now   timestamptz := tasker.clock();
  v_moves tasker.workflow_step_transition_log[];
begin
  with retried as (
    update tasker.workflow_steps as s
       set state            = case when u.halted then 'pending' else 'enqueued' end::tasker.step_state,
           transition_count = s.transition_count + case when u.halted then 1 else 2 end,
           next_retry_at    = null,
           backoff_request_seconds = null
      from (
        -- Another attempt is a start: a task that halts on the failure it has makes none.
        select u.task_uuid, u.step_no, t.namespace, t.halted
          from unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
         cross join lateral (
           select n.name as namespace, k.on_failure = 'halt' and t.failed_steps > 0 as halted
             from tasker.tasks as t
             join tasker.named_tasks as k
               on k.named_task_uuid = t.named_task_uuid
             join tasker.task_namespaces as n
               on n.task_namespace_uuid = k.task_namespace_uuid
            where t.task_uuid = u.task_uuid
           offset 0
         ) as t
      ) as u
     where s.task_uuid = any (array[u.task_uuid])
       and s.step_no = u.step_no
       and s.state = 'waiting_for_retry'
    returning
      s.task_uuid, s.step_no, s.transition_count, s.claim_no, s.priority, s.named_step_uuid, s.state, u.namespace
  ),
  queued as (
    insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, claim_no, visible_at)
    select r.task_uuid, r.step_no, r.namespace, tasker.step_lane(r.state, r.priority), r.named_step_uuid, r.claim_no, v_now
      from retried as r
     where r.state = 'enqueued'
  )
  select array_agg((
      r.task_uuid, r.step_no, r.transition_count - m.before_last, m.event, m.from_state, m.to_state,
      r.claim_no, null, null, null, null, null, v_now
    )::tasker.workflow_step_transition_log)
    into v_moves
    from retried as r
    join (values
      ('pending'::tasker.step_state, 0, 'Retry', 'waiting_for_retry'::tasker.step_state, 'pending'::tasker.step_state),
      ('enqueued', 1, 'Retry', 'waiting_for_retry', 'pending'),
      ('enqueued', 0, 'Enqueue', 'pending', 'enqueued')
    ) as m (state, before_last, event, from_state, to_state)
      on m.state = r.state;

  -- Not by "=" alone: timers that were analyzed while there were none would be read from end to end.
  delete from tasker.timers as t
   using unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
   where t.task_uuid = any (array[u.task_uuid])
     and t.step_no = u.step_no
     and t.kind = 'retry_step';
  perform tasker.announce_queue_rows(array_agg(m.task_uuid), array_agg(m.step_no))
     from unnest(v_moves) as m
    where m.to_state = 'enqueued';
  perform tasker.evaluate_tasks(v_moves, tasker.task_facts(array(select m.task_uuid from unnest(v_moves) as m)));
end;
$$;

comment on function tasker.fire_retries(uuid[], integer[]) is
$$The wait of these steps for their next attempt is over: they go back into the queue, or, where the template halts on the failure that the task has, wait as pending for what is done about that. The caller holds their tasks' locks.$$;

revoke all on function tasker.fire_retries(uuid[], integer[]) from public;
