create or replace function tasker.list_signals(p_task_uuid uuid, p_after integer default 0, p_limit integer default 1000)
  returns setof tasker.signal_details
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
  p_limit := coalesce(p_limit, 1000);
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_limit(p_limit, 65535);
  perform tasker.check_task_exists(p_task_uuid);
  return query
  select
    g.task_uuid, g.signal_no, g.name, g.payload, g.idempotency_key, g.sent_by, g.sent_at, g.step_no is not null,
    s.workflow_step_uuid, s.name, g.consumed_at
  from tasker.task_signals as g
  left join lateral (
    select s.workflow_step_uuid, s.name
      from tasker.workflow_steps as s
     where s.task_uuid = g.task_uuid
       and s.step_no = g.step_no
    offset 0
  ) as s
    on true
  where g.task_uuid = p_task_uuid
    and g.signal_no > coalesce(p_after, 0)
  order by g.signal_no
  limit p_limit;
end;
$$;

comment on function tasker.list_signals is
$$Returns the signals that were sent to a task, in the order in which they were sent, each with the step that took it. The column "consumed" is false for a signal that no step has taken. The last signal_no of a page is p_after of the next page.

Raises TK404 if there is no such task, TK422 for a limit out of range, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_signals
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
