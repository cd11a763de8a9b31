create or replace view tasker.incident_steps as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as step_uuid,
  ''::text as namespace,
  ''::text as task_name,
  ''::text as task_version,
  ''::text as step_name,
  ''::text as state,
  '-infinity'::timestamptz as failed_at,
  null::text as error
where false;

comment on view tasker.incident_steps is
  'Row type: a step whose newest failure has the given cause.';
