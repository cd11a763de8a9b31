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
  returns setof tasker.step_answers
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
as $$
declare
  v_limit      integer := tasker.setting_integer('result_bytes');
  v_task_uuids uuid[];
  v_step_nos   integer[];
  v_deferred   boolean[];
  v_locked     uuid[];
  v_answers    text[];
  v_retry_ats  timestamptz[];
begin
  select
    array_agg(tasker.task_uuid_of(u.step_uuid) order by u.position),
    array_agg(tasker.step_no_of(u.step_uuid) order by u.position)
    into v_task_uuids, v_step_nos
    from unnest(p_step_uuids) with ordinality as u (step_uuid, position);

  -- Tasks, then steps, then the judgement: each in a statement of its own. A result that is only
  -- recorded needs no lock on its task.
  v_deferred := tasker.results_are_deferred(v_task_uuids);
  v_locked := tasker.lock_tasks(
    array(select u.task_uuid from unnest(v_task_uuids, v_deferred) as u (task_uuid, deferred) where not u.deferred),
    p_wait
  );
  perform tasker.lock_steps(array_agg(u.task_uuid), array_agg(u.step_no))
     from unnest(v_task_uuids, v_step_nos, v_deferred) as u (task_uuid, step_no, deferred)
    where p_wait or u.deferred or u.task_uuid = any (v_locked);

  select
    array_agg(
      case
        when s.state is null then 'not_found'
        when not (p_wait or u.deferred or u.task_uuid = any (v_locked)) then 'busy'
        when s.state = 'cancelled' then 'cancelled'
        when s.claim_no <> u.claim_no then 'stale'
        when s.state = 'in_progress' then
          case
            when u.error is null and octet_length(u.result::text) > v_limit then 'too_large'
            when u.deferred then 'recorded'
            when u.error is null then 'completed'
            when u.permanent or not s.retryable or s.attempts >= s.max_attempts then 'failed'
            else 'retrying'
          end
        when s.state in ('complete', 'resolved_manually', 'enqueued_for_orchestration') then 'already_complete'
        when u.error is null then 'stale'
        when s.state = 'waiting_for_retry' then 'retrying'
        when s.state = 'error' then 'failed'
        when s.state = 'enqueued_as_error_for_orchestration' then 'recorded'
        else 'stale'
      end
      order by u.position
    ),
    array_agg(
      case when u.error is not null
        then coalesce(s.next_retry_at, tasker.next_attempt_at(
          s.attempts, u.backoff_seconds, s.backoff_base_seconds, s.backoff_multiplier, s.max_backoff_seconds
        ))
      end
      order by u.position
    )
    into v_answers, v_retry_ats
    from unnest(
      v_task_uuids, v_step_nos, p_claim_nos, p_results, p_errors, p_permanent, p_backoff_seconds, v_deferred
    ) with ordinality as u (task_uuid, step_no, claim_no, result, error, permanent, backoff_seconds, deferred, position)
    left join lateral (
      select s.*
        from tasker.workflow_steps as s
       where s.task_uuid = u.task_uuid
         and s.step_no = u.step_no
      offset 0
    ) as s
      on true;

  perform tasker.finish_steps(
    v_task_uuids, v_step_nos, p_claim_nos, v_answers, v_retry_ats,
    p_results, p_errors, p_permanent, p_backoff_seconds, p_execution_times_ms
  );

  return query
  select
    u.step_uuid,
    u.claim_no,
    u.answer,
    case when u.answer = 'retrying' then u.next_retry_at end
  from unnest(p_step_uuids, p_claim_nos, v_answers, v_retry_ats) with ordinality
    as u (step_uuid, claim_no, answer, next_retry_at, position)
  order by u.position;
end;
$$;

comment on function tasker.apply_results(uuid[], integer[], jsonb[], text[], boolean[], integer[], bigint[], boolean) is
$$Judges each result by its step's state and claim number, and carries out those that count. One answer for each, in order.

Locks the tasks in the order of their UUIDs, then the steps, then their queue rows. If p_wait is false a task that somebody else holds is not waited for: busy.$$;

revoke all on function tasker.apply_results(uuid[], integer[], jsonb[], text[], boolean[], integer[], bigint[], boolean) from public;
