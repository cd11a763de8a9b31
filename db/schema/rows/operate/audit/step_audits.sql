create or replace view tasker.step_audits as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as step_uuid,
  0::integer as step_no,
  0::integer as sort_key,
  '00000000-0000-0000-0000-000000000000'::uuid as transition_uuid,
  '-infinity'::timestamptz as recorded_at,
  ''::text as namespace,
  ''::text as task_name,
  ''::text as step_name,
  ''::text as handler,
  ''::text as event,
  'pending'::tasker.step_state as from_state,
  'pending'::tasker.step_state as to_state,
  false::boolean as success,
  null::bigint as execution_time_ms,
  0::integer as claim_no,
  null::uuid as worker_uuid,
  null::text as worker_name,
  null::uuid as correlation_id,
  null::text as actor,
  null::text as login,
  null::text as role,
  null::text as reason,
  null::text as error,
  null::jsonb as results,
  null::timestamptz as replaced_at,
  null::text as replaced_by,
  null::text as replaced_reason
where false;

comment on view tasker.step_audits is
  'Row type: a recorded result, with the transition that recorded it, the actor and the reason.';
comment on column tasker.step_audits.login is
  'The login role, and the role set in "role" if it differs. Unlike the login, the actor and the worker are names that callers choose.';
comment on column tasker.step_audits.results is
  'The results that the success recorded: the step has them now, or had them until it ran again. Null if a later success has overwritten them.';
comment on column tasker.step_audits.replaced_at is
  'The time when the step lost this result because it was to run again (tasker.rerun_step). Null if the step did not lose it.';
comment on column tasker.step_audits.replaced_by is
  'The actor who let the step run again.';
comment on column tasker.step_audits.replaced_reason is
  'The reason that the call gave. If the call named another step, the reason also names that step.';
