create or replace view tasker.task_events as
select
  '-infinity'::timestamptz as occurred_at,
  null::integer as step_no,
  null::text as step_name,
  ''::text as event,
  ''::text as from_state,
  ''::text as to_state,
  null::integer as claim_no,
  null::uuid as worker_uuid,
  null::text as worker_name,
  null::uuid as processor_uuid,
  null::text as actor,
  null::text as login,
  null::text as role,
  null::text as reason,
  null::bigint as execution_time_ms,
  null::text as error,
  null::jsonb as metadata,
  ''::text as description,
  0::integer as sort_key
where false;

comment on view tasker.task_events is
  'Row type: one event in the history of a task. It concerns the task itself or one of its steps.';
comment on column tasker.task_events.login is
  'The role that was logged in, with the role that it had set in "role" if that is another. Actor and worker are the names that the caller gives.';
comment on column tasker.task_events.description is
  'The event as a sentence for people.';
comment on column tasker.task_events.sort_key is
  'The number of the event among the transitions of its task or step. The next page of a history begins after the sort_key and step_no of the last event.';
