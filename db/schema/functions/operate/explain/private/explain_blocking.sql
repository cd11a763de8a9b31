create or replace function tasker.explain_blocking(
  p_step       tasker.step_explanations,
  p_paused_by  text,
  p_waiting    bigint,
  p_refused    bigint,
  p_failed     bigint
)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_until text := to_char((p_step).due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"');
begin
  return case
    when (p_step).current_state in ('complete', 'resolved_manually') then 'It is done.'
    when (p_step).current_state = 'cancelled' then
      'It was cancelled, or skipped because its dependencies settled without satisfying its join.'
    when (p_step).current_state = 'error' then
      format('It failed for good after %s of %s attempts: %s. An operator may retry or resolve it.',
        (p_step).attempts, (p_step).retry_limit, coalesce(rtrim(left((p_step).last_error, 200), '.'), 'no error was recorded'))
    when (p_step).current_state = 'in_progress' then
      format('Worker %s has it; its lease ends at %s.', coalesce((p_step).worker_uuid::text, 'unknown'), v_until)
    when (p_step).current_state in ('enqueued_for_orchestration', 'enqueued_as_error_for_orchestration') then
      'Its result is recorded and waits for an orchestrator to process it.'
    when (p_step).current_state = 'enqueued' and p_paused_by is not null then
      format('It is in the queue, but %s has paused namespace "%s".', p_paused_by, (p_step).namespace)
    when (p_step).current_state = 'enqueued' then
      format('It is in the queue of namespace "%s" and waits for a worker that has handler "%s".',
        (p_step).namespace, (p_step).handler)
    when (p_step).blocking_reason is null then
      'It is ready; the next evaluation of its task enqueues it.'
    when (p_step).blocking_reason = 'task_ended' then
      format('Its task has ended: it is %s.', (p_step).task_state)
    when (p_step).blocking_reason = 'dependencies_not_satisfied' and p_waiting = 0 then
      format('Its parents have settled, but %s of them did not satisfy its join; it will be skipped.', p_refused)
    when (p_step).blocking_reason = 'dependencies_not_satisfied' and p_failed > 0 then
      format('It waits for %s of its parents, blocked by the failure of "%s"%s.', p_waiting,
        (p_step).blocked_by -> 0 ->> 'name', case when p_failed > 1 then format(' and %s more', p_failed - 1) else '' end)
    when (p_step).blocking_reason = 'dependencies_not_satisfied' then
      format('It waits for %s of its parents, among them "%s".', p_waiting, (p_step).waiting_for -> 0 ->> 'name')
    when (p_step).blocking_reason = 'retry_not_eligible' then
      format('It has used %s of %s attempts and may not be retried.', (p_step).attempts, (p_step).retry_limit)
    when (p_step).blocking_reason = 'backoff_not_expired' then
      format('Attempt %s of %s failed; the next one is due at %s.', (p_step).attempts, (p_step).retry_limit, v_until)
    when (p_step).blocking_reason = 'task_halted' then
      'Its task starts no more steps, because one of them failed and its template says on_failure: halt.'
    when (p_step).blocking_reason = 'task_not_started' and v_until is null then
      'Its task waits for a place of its key: tasker.list_runs() shows the line.'
    when (p_step).blocking_reason = 'task_not_started' then
      format('Its task starts at %s.', v_until)
    when (p_step).blocking_reason = 'map_has_no_handler' then
      'It is a map: the next claim or orchestrator starts its instances, or ends it.'
    when (p_step).blocking_reason = 'namespace_paused' then
      format('%s has paused namespace "%s".', p_paused_by, (p_step).namespace)
  end;
end;
$$;

comment on function tasker.explain_blocking is
$$Summarises an explanation in one or two sentences.$$;
