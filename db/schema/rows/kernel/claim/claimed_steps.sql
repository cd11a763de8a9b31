create or replace view tasker.claimed_steps as
select
  '00000000-0000-0000-0000-000000000000'::uuid as step_uuid,
  0::integer as claim_no,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  0::integer as step_no,
  ''::text as namespace,
  ''::text as task_name,
  ''::text as task_version,
  ''::text as name,
  ''::text as handler,
  0::integer as attempt,
  0::integer as max_attempts,
  0::integer as lost_count,
  0::integer as priority,
  '-infinity'::timestamptz as lease_until,
  null::integer as timeout_seconds,
  '00000000-0000-0000-0000-000000000000'::uuid as correlation_id,
  null::uuid as parent_correlation_id,
  '{}'::jsonb as headers,
  '{}'::jsonb as inputs,
  null::jsonb as checkpoint,
  null::text as last_error,
  null::jsonb as context,
  null::jsonb as parent_results,
  null::jsonb as kept
where false;

comment on view tasker.claimed_steps is
  'Row type: a claimed step with all that its handler needs.';
comment on column tasker.claimed_steps.claim_no is
  'Send this number with the result, because complete_steps and fail_steps refuse the number of another claim.';
comment on column tasker.claimed_steps.attempt is
  'This attempt''s number, from 1.';
comment on column tasker.claimed_steps.last_error is
  'The error of the previous attempt. Null on the first attempt.';
comment on column tasker.claimed_steps.inputs is
  'The step''s inputs. A compensation has the result of the step that it undoes in result, or result_omitted if that result is too large for a claim of so many steps. The function tasker.get_parent_results(step_uuid) returns it.';
comment on column tasker.claimed_steps.context is
  'The task''s context. Null if the context is too large for a claim of so many steps. The function tasker.get_task(task_uuid) returns it.';
comment on column tasker.claimed_steps.parent_results is
  'The results of the parents that succeeded, by the parents'' names. Null if the results are too large for a claim of so many steps. The function tasker.get_parent_results(step_uuid) returns them.';
comment on column tasker.claimed_steps.kept is
  'The round of a durable function, the count of its kept results, and these results in order. Null if no function has kept a result. The field results is null if the results are too large for a claim of so many steps. The function tasker.get_kept_results(step_uuid) returns them.';
