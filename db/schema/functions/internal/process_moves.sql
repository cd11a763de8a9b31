create or replace function tasker.process_moves(p_moves tasker.workflow_step_transition_log[])
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
  v_tasks tasker.task_facts[] := tasker.task_facts(array(select m.task_uuid from unnest(p_moves) as m));
begin
  -- Not by "=" alone: a queue that was analyzed while it was empty would be read from end to end.
  delete from tasker.step_queue as q
   using unnest(p_moves) as m
   where q.task_uuid = any (array[m.task_uuid])
     and q.step_no = m.step_no
     and m.event in ('Complete', 'WaitForRetry', 'Fail');

  perform tasker.evaluate_tasks(tasker.settle_steps(p_moves, v_tasks), v_tasks);
end;
$$;

comment on function tasker.process_moves(tasker.workflow_step_transition_log[]) is
$$What follows from results: their steps leave the queue, children are settled, tasks evaluated. The caller holds the tasks' locks and has written the steps' rows.$$;

revoke all on function tasker.process_moves(tasker.workflow_step_transition_log[]) from public;
