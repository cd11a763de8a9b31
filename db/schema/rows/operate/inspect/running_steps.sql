create or replace view tasker.running_steps as
select
  '00000000-0000-0000-0000-000000000000'::uuid as step_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as namespace,
  ''::text as task_name,
  ''::text as task_version,
  ''::text as step_name,
  ''::text as handler,
  0::integer as attempts,
  0::integer as max_attempts,
  '-infinity'::timestamptz as started_at,
  '-infinity'::timestamptz as lease_until,
  null::uuid as worker_uuid,
  null::text as worker_name
where false;

comment on view tasker.running_steps is
  'Row type: a step that a worker runs.';
comment on column tasker.running_steps.worker_name is
  'The worker''s UUID if it has not registered. Null if the worker is not known.';
