create or replace function tasker.apply_results(
  p_step_uuids          uuid[],
  p_claim_nos           integer[],
  p_results             jsonb[],
  p_errors              text[],
  p_permanent           boolean[],
  p_backoff_seconds     integer[],
  p_execution_times_ms  bigint[],
  p_wait                boolean
)
  returns tasker.step_answers[]
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
  v_task_uuids uuid[];
  v_step_nos   integer[];
  v_deferred   boolean[];
  v_locked     uuid[];
  v_held       boolean[];
  v_refusals   text[];
  v_claim_nos  integer[];
  v_finished   tasker.step_answers[];
begin
  select
    array_agg(tasker.task_uuid_of(u.step_uuid) order by u.position),
    array_agg(tasker.step_no_of(u.step_uuid) order by u.position)
    into v_task_uuids, v_step_nos
    from unnest(p_step_uuids) with ordinality as u (step_uuid, position);

  -- A result that is only recorded needs no lock on its task.
  v_deferred := tasker.results_are_deferred(v_task_uuids);
  v_locked := tasker.lock_tasks(
    array(select u.task_uuid from unnest(v_task_uuids, v_deferred) as u (task_uuid, deferred) where not u.deferred),
    p_wait
  );
  if not p_wait then
    -- Of a task that somebody else holds no step is held, either: its holder waits for its steps.
    v_held := tasker.lock_steps(
      array(
        select case when u.deferred or u.task_uuid = any (v_locked) then u.task_uuid end
          from unnest(v_task_uuids, v_deferred) with ordinality as u (task_uuid, deferred, position)
         order by u.position
      ),
      v_step_nos
    );
  end if;
  v_refusals := tasker.refused_results(v_task_uuids, v_deferred, v_locked, p_results, p_errors, v_held);
  v_claim_nos := p_claim_nos;
  if v_refusals is not null then
    -- A running step's claim number is above 0.
    v_claim_nos := array(
      select case when u.refusal is null then u.claim_no else 0 end
        from unnest(p_claim_nos, v_refusals) with ordinality as u (claim_no, refusal, position)
       order by u.position
    );
  end if;
  v_finished := tasker.finish_steps(
    v_task_uuids, v_step_nos, v_claim_nos,
    p_results, p_errors, p_permanent, p_backoff_seconds, p_execution_times_ms, v_deferred
  );
  if cardinality(v_finished) < cardinality(p_step_uuids) then
    return tasker.answer_results(p_step_uuids, p_claim_nos, p_errors, v_refusals, v_finished);
  end if;
  return v_finished;
end;
$$;

comment on function tasker.apply_results(uuid[], integer[], jsonb[], text[], boolean[], integer[], bigint[], boolean) is
$$Carries out those results that count, and answers each, in order.

Locks the tasks in the order of their UUIDs, then the steps, then their queue rows. If p_wait is false a task or a step that somebody else holds is not waited for: busy.$$;

revoke all on function tasker.apply_results(uuid[], integer[], jsonb[], text[], boolean[], integer[], bigint[], boolean) from public;
