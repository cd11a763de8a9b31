create or replace function tasker.claim_delivered_steps(
  p_step_uuids     uuid[],
  p_worker_uuid    uuid,
  p_lease_seconds  integer  default null
)
  returns setof tasker.step_exchanges
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
  v_now      timestamptz;
  v_until    timestamptz;
  v_settings tasker.settings_now;
  v_steps    uuid[];
  v_step     uuid;
  v_taken    tasker.step_queue[];
  v_moves    tasker.step_moves[];
  v_word     text; -- an assignment, unlike PERFORM, starts no executor
begin
  perform tasker.check_claim(p_worker_uuid, 1, p_lease_seconds);
  perform tasker.check_array_size('steps', coalesce(cardinality(p_step_uuids), 0), 1000);
  perform tasker.check_worker(p_worker_uuid);

  -- A claim locks steps before it reads their tasks, while retention locks the tables starting with tasks. Lock the
  -- tables in that order here too, without reading a row, so that the two cannot deadlock.
  perform from tasker.tasks as t where false;
  perform tasker.check_bound_steps(p_step_uuids);
  select c.* into v_settings from tasker.settings_now as c;
  v_steps := array(select distinct u.step_uuid from unnest(p_step_uuids) as u (step_uuid) where u.step_uuid is not null order by 1);

  -- The workers of these steps may be lost. Check only the queue rows of these steps.
  perform tasker.recover_lost_steps(array_agg(k.q), 100, p_worker_uuid)
     from unnest(v_steps) as u (step_uuid)
    cross join lateral (
      select q
        from tasker.step_queue as q
       where q.task_uuid = tasker.task_uuid_of(u.step_uuid)
         and q.step_no = tasker.step_no_of(u.step_uuid)
         and q.lane = 'running'
         and q.visible_at <= tasker.write_clock()
      offset 0
    ) as k
   having count(*) > 0;

  v_now := tasker.write_clock();
  v_until := v_now + make_interval(secs => coalesce(p_lease_seconds, v_settings.lease_seconds));
  v_taken := tasker.take_delivered_rows(v_steps, v_now, v_until, v_settings);
  if cardinality(v_taken) < cardinality(v_steps) and v_settings.limited_handlers is distinct from '{}' then
    foreach v_step in array v_steps loop
      v_taken := v_taken || tasker.take_gated(null, null, v_step, 1, v_until, p_worker_uuid, v_settings);
    end loop;
  end if;

  v_moves := tasker.start_steps(v_taken, p_worker_uuid, v_until);
  v_word := tasker.note_lease_clock();
  v_word := tasker.note_worker(p_worker_uuid, null, null, v_moves, greatest(cardinality(v_moves), 1), null);

  return query
  select a.* from tasker.refused_deliveries(v_steps, v_moves) as a;
  if cardinality(v_moves) > 0 then
    return query
    select
      c.step_uuid, c.claim_no, null::tasker.result_answer, null::timestamptz,
      c.task_uuid, c.step_no, c.namespace, c.task_name, c.task_version, c.name, c.handler,
      c.attempt, c.max_attempts, c.lost_count, c.priority, c.lease_until, c.timeout_seconds,
      c.correlation_id, c.parent_correlation_id, c.headers, c.inputs, c.checkpoint, c.last_error, c.context, c.parent_results,
      c.kept
    from tasker.describe_claims(v_moves, v_settings) as c;
  end if;
end;
$$;

comment on function tasker.claim_delivered_steps is
$$Claims the steps named in messages of a broker, whether these steps are published or not. For each step that it does not claim, it returns a row with claim_no 0 and an answer. The answer "gone" means that the step has a worker, has ended or does not exist: acknowledge its message. After any other answer, return the message to the broker, so that the broker delivers it again later: "paused" (the step's namespace or handler is paused), "limited" (the step's limit has no free place), "busy" (another transaction holds the step, or the step is not due yet). After the call, also acknowledge the message of a claimed step: if its worker is lost, the step becomes ready again when the lease ends.

A step that is named twice counts once. Locks queue rows and steps, without waiting. Locks the worker's row last. Raises TK413 for more than 1000 steps, TK422 for an argument out of range, TK403 if the role is bound to other namespaces or the worker belongs to another role, TK409 above READ COMMITTED.$$;

grant execute on function tasker.claim_delivered_steps
  to tasker_worker, tasker_orchestrator, tasker_operator;
