create table tasker.broadcast_receipts (
  event_uuid   uuid         not null,
  task_uuid    uuid         not null,
  step_no      integer      not null,
  received_at  timestamptz  not null,

  constraint broadcast_receipts_pkey
    primary key (event_uuid, task_uuid, step_no)
);

comment on table tasker.broadcast_receipts is
  'The events that each step took, so that a step gets an event only once even if it waits several times. Rows are written under the task''s lock and deleted with the event. The table is not partitioned.';
