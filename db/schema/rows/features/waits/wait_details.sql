create or replace view tasker.wait_details as
select
  '00000000-0000-0000-0000-000000000000'::uuid as step_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  0::integer as step_no,
  ''::text as namespace,
  ''::text as task_name,
  ''::text as task_version,
  ''::text as step_name,
  null::text as description,
  '-infinity'::timestamptz as waiting_since,
  null::timestamptz as due_at,
  ''::text as on_timeout,
  null::text as assignee,
  '{}'::text[] as signals,
  '{}'::jsonb as await,
  '{}'::text[] as tags,
  null::text as initiator,
  '{}'::text[] as events,
  '{}'::text[] as event_keys
where false;

comment on view tasker.wait_details is
  'Row type: a step that waits for a signal or an event, as an inbox shows it.';
comment on column tasker.wait_details.description is
  'The description of the step in the template.';
comment on column tasker.wait_details.due_at is
  'The time that ends the wait. Null if only a signal or an event ends it.';
comment on column tasker.wait_details.await is
  'The alternatives that end the wait, as in the template: signals with the schema of their payload, events, times.';
comment on column tasker.wait_details.event_keys is
  'The keys of the events, in the order of the column events. The key of an event without a key is the empty text.';
