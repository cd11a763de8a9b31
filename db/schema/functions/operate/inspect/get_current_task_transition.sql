create or replace function tasker.get_current_task_transition(p_task_uuid uuid)
  returns setof tasker.task_events
  language plpgsql
  stable
  rows 1
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
  perform tasker.check_task_exists(p_task_uuid);
  return query
  select
    l.created_at, null::integer, null::text, l.event, l.from_state::text, l.to_state::text, null::integer, null::uuid,
    null::text, l.processor_uuid, l.actor, c.caller[1], c.caller[2], l.reason, null::bigint, l.metadata ->> 'error', l.metadata,
    tasker.event_sentence(null, l.event, l.from_state::text, l.to_state::text, null, l.actor, l.reason, null),
    l.sort_key
  from tasker.tasks as t
  cross join lateral (
    select l.*
      from tasker.task_transition_log as l
     where l.task_uuid = t.task_uuid
       and l.row_key = t.transition_count
       and l.sort_key = t.transition_count
    offset 0
  ) as l
  cross join lateral (select tasker.task_caller(l.task_uuid, l.row_key) as caller) as c
  where t.task_uuid = p_task_uuid;
end;
$$;

comment on function tasker.get_current_task_transition is
$$Returns the transition that brought a task to its present state, as get_task_history returns it. Returns no row if the
task has made no transition since its creation. Reads one row, even of a long history.

Raises TK404 if there is no such task, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_current_task_transition
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
