create table tasker.dlq_investigations (
  dlq_entry_uuid    uuid               not null,
  task_uuid         uuid               not null,
  namespace_name    text,
  task_name         text,
  original_state    tasker.task_state  not null,
  dlq_reason        text               not null,
  dlq_timestamp     timestamptz        not null,
  minutes_in_dlq    numeric            not null,
  priority_score    numeric            not null,
  resolution_notes  text,
  metadata          jsonb              not null,

  constraint dlq_investigations_row_type_check
    check (false) no inherit
);

comment on table tasker.dlq_investigations is
  'Row type: an open investigation.';
comment on column tasker.dlq_investigations.priority_score is
  'The urgency: 1000 for a cycle, 500 for used-up attempts, 100 for staleness, 50 for missing workers, 10 otherwise, plus one each minute.';

revoke all on table tasker.dlq_investigations from public;
