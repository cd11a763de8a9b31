create table tasker.dlq_requeues (
  dlq_entry_uuid  uuid               not null,
  task_uuid       uuid               not null,
  namespace       text,
  name            text,
  version         text,
  dlq_reason      text               not null,
  dlq_timestamp   timestamptz        not null,
  current_state   tasker.task_state,
  outcome         text               not null,

  constraint dlq_requeues_row_type_check
    check (false) no inherit
);

comment on table tasker.dlq_requeues is
  'Row type: what a requeue of many investigations did with one of them.';
comment on column tasker.dlq_requeues.current_state is
  'The state that its task was found in; null if retention has dropped it.';
comment on column tasker.dlq_requeues.outcome is
  'matched: a dry run; requeued; locked: another transaction holds the task; ended: the task cannot run again; closed: the investigation has ended meanwhile.';

revoke all on table tasker.dlq_requeues from public;
