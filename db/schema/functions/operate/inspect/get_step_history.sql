create or replace function tasker.get_step_history(p_step_uuid uuid, p_limit integer default 1000, p_after_sort_key integer default null)
  returns setof tasker.task_events
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
  v_name text;
begin
  p_limit := coalesce(p_limit, 1000);
  perform tasker.check_bound(p_step_uuid);
  perform tasker.check_limit(p_limit, 100000);
  perform tasker.check_step_exists(p_step_uuid);
  select s.name
    into v_name
    from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid);

  return query
  select
    l.created_at, l.step_no, v_name, l.event, l.from_state::text, l.to_state::text, l.claim_no, l.worker_uuid, w.name::text,
    null::uuid, l.actor, c.caller[1], c.caller[2], l.reason, l.execution_time_ms, l.metadata ->> 'error', l.metadata,
    tasker.event_sentence(
      v_name, l.event, l.from_state::text, l.to_state::text, coalesce(w.name, l.worker_uuid::text), l.actor,
      coalesce(l.metadata ->> 'error', l.reason), l.execution_time_ms
    ),
    l.sort_key
  from tasker.workflow_step_transition_log as l
  cross join lateral (
    select tasker.step_caller(l.task_uuid, l.step_no, l.row_key) as caller
  ) as c
  left join tasker.workers as w
    on w.worker_uuid = l.worker_uuid
  where l.task_uuid = tasker.task_uuid_of(p_step_uuid)
    and l.step_no = tasker.step_no_of(p_step_uuid)
    and l.sort_key > coalesce(p_after_sort_key, -1)
    and l.row_key > coalesce(p_after_sort_key, -1)
  order by l.row_key, l.sort_key
  limit p_limit;
end;
$$;

comment on function tasker.get_step_history is
$$Returns the history of one step: its transitions in order, each with a sentence that describes it, as get_task_history
does. For the next page, pass the sort_key of the last event of this page as p_after_sort_key.

Raises TK404 if there is no such step, TK422 for a limit out of range, and TK403 if the caller is bound to other
namespaces.$$;

grant execute on function tasker.get_step_history
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
