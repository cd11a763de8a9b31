create table tasker.feed_finds (
  created_at         timestamptz  not null,
  task_uuid          uuid         not null,
  step_no            integer      not null,
  sort_key           integer      not null,
  event              text         not null,
  step_from          tasker.step_state,
  step_to            tasker.step_state,
  task_from          tasker.task_state,
  task_to            tasker.task_state,
  claim_no           integer,
  execution_time_ms  bigint,
  worker_uuid        uuid,
  actor              text,
  reason             text,
  metadata           jsonb,
  has_more           boolean      not null,

  constraint feed_finds_row_type_check
    check (false) no inherit
);

comment on table tasker.feed_finds is
  'Row type: a transition as the feed finds it in a log, and lists it until it is read. The first four columns are its key, tasker.feed_keys.';
comment on column tasker.feed_finds.has_more is
  'Whether actor, reason or metadata is long, and so missing here: it is looked up when the event is read.';

revoke all on table tasker.feed_finds from public;
