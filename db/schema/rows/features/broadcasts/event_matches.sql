create or replace view tasker.event_matches as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  0::integer as step_no,
  '00000000-0000-0000-0000-000000000000'::uuid as event_uuid,
  false::boolean as function
where false;

comment on view tasker.event_matches is
  'Row type: a waiting step, and the event that the step takes.';
comment on column tasker.event_matches.function is
  'Whether the step runs a durable function, which continues after the event. False if the step has no handler and only waits.';
