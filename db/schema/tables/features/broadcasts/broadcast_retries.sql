create table tasker.broadcast_retries (
  event_uuid  uuid         not null,
  task_uuid   uuid         not null,
  step_no     integer      not null,
  due_at      timestamptz  not null,

  constraint broadcast_retries_pkey
    primary key (event_uuid, task_uuid, step_no)
);

create index broadcast_retries_due_idx
  on tasker.broadcast_retries (event_uuid, due_at, task_uuid, step_no);

comment on index tasker.broadcast_retries_due_idx is
  'Serves the delivery of one event: the steps to try again.';

comment on table tasker.broadcast_retries is
  'Steps that wait for an event and whose task another transaction held during the delivery. The delivery of the event tries these steps again. Only the holder of the event''s note writes these rows. The table is not partitioned.';
