create or replace view tasker.dlq_requeues as
select
  '00000000-0000-0000-0000-000000000000'::uuid as dlq_entry_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  null::text as namespace,
  null::text as name,
  null::text as version,
  ''::text as dlq_reason,
  '-infinity'::timestamptz as dlq_timestamp,
  null::tasker.task_state as current_state,
  ''::text as outcome
where false;

comment on view tasker.dlq_requeues is
  'Row type: the outcome for one investigation in a call that requeues many.';
comment on column tasker.dlq_requeues.current_state is
  'The state of the task when the call read it. Null if retention has dropped the task.';
comment on column tasker.dlq_requeues.outcome is
  'matched: a dry run; requeued; locked: another transaction holds the task or its identity; ended: the task cannot run again; duplicate: another open task has the same identity with the scope "open"; closed: the investigation has ended meanwhile.';
