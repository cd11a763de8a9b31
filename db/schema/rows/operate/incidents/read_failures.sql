create or replace view tasker.read_failures as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  0::integer as step_no,
  0::integer as sort_key,
  '-infinity'::timestamptz as created_at,
  ''::text as error,
  ''::text as namespace,
  ''::text as handler,
  '00000000-0000-0000-0000-000000000000'::uuid as named_task_uuid,
  ''::text as stands
where false;

comment on view tasker.read_failures is
  'Row type: a failure from the log, with its handler and the present state of its step.';
