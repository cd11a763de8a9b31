create or replace function tasker.defer_results(p_moves tasker.workflow_step_transition_log[])
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
begin
  insert into tasker.workflow_step_transition_log select m.* from unnest(p_moves) as m;

  -- Not by "=" alone: a queue that was analyzed while it was empty would be read from end to end.
  update tasker.step_queue as q
     set lane       = 'results',
         visible_at = tasker.clock()
    from unnest(p_moves) as m
   where q.task_uuid = any (array[m.task_uuid])
     and q.step_no = m.step_no;

  -- The truth that a result waits is the queue row; the message is its herald.
  perform tasker.pgmq_send_batch_with_notify('orchestration_step_results', array_agg(
    jsonb_build_object(
      'task_uuid', m.task_uuid,
      'step_uuid', tasker.step_uuid(m.task_uuid, m.step_no),
      'correlation_id', t.correlation_id
    )
  ))
     from unnest(p_moves) as m
    cross join lateral (
      select t.correlation_id
        from tasker.tasks as t
       where t.task_uuid = m.task_uuid
      offset 0
    ) as t;
end;
$$;

comment on function tasker.defer_results(tasker.workflow_step_transition_log[]) is
$$Leaves recorded results to an orchestrator: their log, the queue's lane "results", and a message each to orchestration_step_results. The caller holds the steps' locks and has written their rows.$$;

revoke all on function tasker.defer_results(tasker.workflow_step_transition_log[]) from public;
