create table tasker.step_streams (
  task_uuid   uuid         not null,
  step_no     integer      not null,
  name        text         not null,
  value       jsonb,
  first_no    bigint       not null,
  last_no     bigint       not null,
  bytes       bigint       not null,
  claim_no    integer      not null,
  batch_no    integer      not null,
  attempt     integer      not null,
  changed_at  timestamptz  not null,

  constraint step_streams_pkey
    primary key (task_uuid, step_no, name),
  constraint step_streams_last_no_check
    check (last_no >= first_no - 1 and first_no > 0)
) partition by range (task_uuid);

comment on table tasker.step_streams is
  'The values and streams of steps, one row for each name. A call that appends to a stream locks its row until the commit. Therefore the numbers of items have no gaps and are committed in order.';
comment on column tasker.step_streams.value is
  'The last value that was set. Null if the name is a stream, whose items are in tasker.stream_items.';
comment on column tasker.step_streams.first_no is
  'The number of the oldest kept item. It is 1 unless old items of the stream "log" were deleted.';
comment on column tasker.step_streams.last_no is
  'The number of the newest item of a stream, or the number of changes of a value.';
comment on column tasker.step_streams.bytes is
  'The size of the items that are kept, or of the value.';
comment on column tasker.step_streams.claim_no is
  'The claim that made the newest change. A write by an earlier claim is refused.';
comment on column tasker.step_streams.batch_no is
  'The number of the last batch that this claim appended. A batch with the same number or a lower number is a repetition.';
