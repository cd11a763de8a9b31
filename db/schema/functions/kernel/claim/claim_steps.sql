create or replace function tasker.claim_steps(
  p_namespaces     text[],
  p_worker_uuid    uuid,
  p_limit          integer  default 1,
  p_lease_seconds  integer  default null,
  p_handlers       text[]   default null,
  p_request_uuid   uuid     default null
)
  returns setof tasker.claimed_steps
  language plpgsql
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
  v_settings tasker.settings_now;
  v_moves    tasker.step_moves[];
begin
  p_limit := coalesce(p_limit, 1);
  perform tasker.check_claim(p_worker_uuid, p_limit, p_lease_seconds);
  select c.* into v_settings from tasker.settings_now as c;
  v_moves := tasker.claim(p_namespaces, p_worker_uuid, p_limit, p_lease_seconds, p_handlers, p_request_uuid, 0, null, v_settings);
  if cardinality(v_moves) = 1 then
    return next tasker.describe_claim(v_moves[1], v_settings);
  elsif cardinality(v_moves) > 1 then
    return query select c.* from tasker.describe_claims(v_moves, v_settings) as c;
  end if;
end;
$$;

comment on function tasker.claim_steps is
$$Hands at most p_limit ready steps of these namespaces (null: all) and handlers (null: all) to a worker, under a lease. Each step comes with its claim number and all that its handler needs. No step is handed to two workers. The settings lane_weight_… divide the claimed steps among the lanes. Namespaces take turns. Paused namespaces and handlers are skipped. The steps that have waited longest go first.

A claim first does the work that is due. It fires timers, advances tasks that a direct call touched, and returns steps of these namespaces and handlers to the queue if their worker let the lease end. So a system needs only workers to make progress. If a reply is lost, repeat the call with the same p_request_uuid: it hands out the same steps again if they still run.

Locks queue rows, steps and the tasks of due timers, without waiting. Locks the worker's row last. Raises TK422 for an argument out of range, TK404 for an unknown namespace, TK403 if the role is bound to other namespaces or the worker belongs to another role, TK409 above READ COMMITTED.$$;

grant execute on function tasker.claim_steps
  to tasker_worker, tasker_orchestrator, tasker_operator;
