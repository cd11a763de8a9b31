create table tasker.stream_items (
  task_uuid   uuid         not null,
  step_no     integer      not null,
  name        text         not null,
  last_no     bigint       not null,
  first_no    bigint       not null,
  attempt     integer      not null,
  written_at  timestamptz  not null,
  items       jsonb        not null,

  constraint stream_items_pkey
    primary key (task_uuid, step_no, name, last_no)
) partition by range (task_uuid);

comment on table tasker.stream_items is
  'The items of streams. A row has all items of one call of tasker.append_items(), so that an item does not need a row of its own. Rows are never changed. Only the oldest rows of a stream "log" are deleted.';
comment on column tasker.stream_items.last_no is
  'The number of the last item of the row.';
comment on column tasker.stream_items.attempt is
  'The attempt of the step that appended the items.';
