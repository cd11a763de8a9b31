create or replace function tasker.answer_results(
  p_step_uuids  uuid[],
  p_claim_nos   integer[],
  p_errors      text[],
  p_refusals    text[],
  p_finished    tasker.step_answers[]
)
  returns tasker.step_answers[]
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
  return array(
    select (
        u.step_uuid,
        u.claim_no,
        case
          when s.state is null then 'not_found'
          when f.answer is not null then f.answer
          when s.state = 'cancelled' then 'cancelled'
          when u.refusal = 'busy' then 'busy'
          when s.claim_no <> u.claim_no then 'stale'
          when s.state = 'in_progress' then coalesce(u.refusal, 'busy')
          when s.state in ('complete', 'resolved_manually', 'enqueued_for_orchestration') then 'already_complete'
          when u.error is null then 'stale'
          when s.state = 'waiting_for_retry' then 'retrying'
          when s.state = 'error' then 'failed'
          when s.state = 'enqueued_as_error_for_orchestration' then 'recorded'
          else 'stale'
        end,
        coalesce(f.next_retry_at, case when u.error is not null and s.claim_no = u.claim_no then s.next_retry_at end)
      )::tasker.step_answers
      from unnest(p_step_uuids, p_claim_nos, p_errors, p_refusals) with ordinality
        as u (step_uuid, claim_no, error, refusal, position)
      left join unnest(p_finished) as f
        on f.step_uuid = u.step_uuid
      left join lateral (
        select s.state, s.claim_no, s.next_retry_at
          from tasker.workflow_steps as s
         where s.task_uuid = tasker.task_uuid_of(u.step_uuid)
           and s.step_no = tasker.step_no_of(u.step_uuid)
        offset 0
      ) as s
        on true
      order by u.position
  );
end;
$$;

comment on function tasker.answer_results(uuid[], integer[], text[], text[], tasker.step_answers[]) is
$$The answer to each result of a batch of which some were not carried out: by what its step is now. A failure that was recorded before is answered as it was then.$$;

revoke all on function tasker.answer_results(uuid[], integer[], text[], text[], tasker.step_answers[]) from public;
