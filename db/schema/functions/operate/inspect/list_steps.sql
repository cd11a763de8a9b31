create or replace function tasker.list_steps(
  p_task_uuid      uuid,
  p_after_step_no  integer  default null,
  p_limit          integer  default null
)
  returns setof tasker.step_details
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
  perform tasker.check_page_size(p_limit);
  return query
  select
    s.workflow_step_uuid, s.task_uuid, s.step_no, s.name,
    (select h.name from tasker.named_steps as h where h.named_step_uuid = s.named_step_uuid), s.state, s.join_mode::text,
    s.total_parents, s.pending_parents, s.satisfied_parents, s.claim_no, s.attempts, s.max_attempts,
    s.lost_count, s.retryable, s.priority, s.created_at, s.last_attempted_at, s.last_failure_at,
    s.next_retry_at, s.lease_until, s.processed_at, s.worker_uuid, s.last_error, s.inputs, s.results, s.checkpoint,
    coalesce(s.child_task_uuid, s.child_task_uuids[cardinality(s.child_task_uuids)]), s.undo_no, s.function_state
  from tasker.workflow_steps as s
  where s.task_uuid = p_task_uuid
    and s.step_no > coalesce(p_after_step_no, 0)
  order by s.step_no
  limit p_limit;

  if not found and not exists (select from tasker.tasks as t where t.task_uuid = p_task_uuid) then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;
end;
$$;

comment on function tasker.list_steps is
$$Returns the steps of a task by number, with their states, attempts, times and results. With p_limit, returns at most
so many steps. For the next page, pass the number of the last step of this page as p_after_step_no. Raises TK404 if
there is no such task, TK422 for a limit out of range, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_steps
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
