create or replace function tasker.exported_steps(p_task tasker.tasks, p_payloads boolean, p_blank jsonb)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return coalesce(
    (
      select jsonb_agg(
          jsonb_strip_nulls(jsonb_build_object(
            'step_uuid', s.workflow_step_uuid, 'step_no', s.step_no, 'name', s.name,
            'handler', (select h.name from tasker.named_steps as h where h.named_step_uuid = s.named_step_uuid),
            'state', s.state, 'attempts', s.attempts, 'max_attempts', s.max_attempts, 'lost_count', s.lost_count,
            'retryable', s.retryable, 'priority', s.priority, 'timeout_seconds', s.timeout_seconds, 'claim_no', s.claim_no,
            'created_at', s.created_at, 'last_attempted_at', s.last_attempted_at, 'last_failure_at', s.last_failure_at,
            'next_retry_at', s.next_retry_at, 'processed_at', s.processed_at, 'map_no', s.map_no, 'undo_no', s.undo_no,
            'effect_uuid', s.effect_uuid, 'child_task_uuid', s.child_task_uuid,
            'is_map', case when s.expansion is not null and s.results is null then true end,
            'array_step', case when s.map_no is not null then tasker.array_step(s.task_uuid, s.map_no) end
          ))
          || jsonb_build_object(
            'parents', (
              select coalesce(jsonb_agg(e.from_step_no order by e.from_step_no), '[]')
                from tasker.workflow_step_edges as e
               where e.task_uuid = p_task.task_uuid
                 and e.to_step_no = s.step_no
            ),
            'function', tasker.exported_kept(s, p_payloads, p_blank),
            'history', tasker.exported_step_history(s.task_uuid, s.step_no, p_payloads)
          )
          || tasker.exported_value('inputs', s.inputs, p_payloads, p_blank)
          || tasker.exported_value('results', s.results, p_payloads, p_blank)
          || tasker.exported_value('checkpoint', s.checkpoint, p_payloads, p_blank)
          || tasker.exported_value('last_error', to_jsonb(s.last_error), p_payloads, '[]')
          || tasker.exported_value('wait', tasker.step_wait(s.await, s.wait, s.claim_no), p_payloads and s.state = 'suspended', p_blank)
          order by s.step_no
        )
        from tasker.workflow_steps as s
       where s.task_uuid = p_task.task_uuid
    ),
    '[]'
  );
end;
$$;

comment on function tasker.exported_steps is
$$Returns the steps of a task for an export, in the order of their numbers. The cost is linear in the number of steps,
edges and transitions.$$;
