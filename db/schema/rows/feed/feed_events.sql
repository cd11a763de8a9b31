create table tasker.feed_events (
  place               text         not null,
  event_uuid          uuid         not null,
  kind                text         not null,
  event               text         not null,
  happened_at         timestamptz  not null,
  namespace           text         not null,
  task_name           text         not null,
  task_version        text         not null,
  task_uuid           uuid         not null,
  correlation_id      uuid,
  workflow_step_uuid  uuid,
  step_name           text,
  sort_key            integer      not null,
  from_state          text,
  to_state            text         not null,
  claim_no            integer,
  execution_time_ms   bigint,
  worker_uuid         uuid,
  actor               text,
  reason              text,
  metadata            jsonb        not null,

  constraint feed_events_row_type_check
    check (false) no inherit
);

comment on table tasker.feed_events is
  'Row type: a transition of a task or of a step, as subscribers get it.';
comment on column tasker.feed_events.place is
  'What tasker.acknowledge_events takes; it has no meaning beyond that.';
comment on column tasker.feed_events.event_uuid is
  'The transition''s UUID, the same however often it is delivered.';
comment on column tasker.feed_events.kind is
  '"task" or "step".';
comment on column tasker.feed_events.sort_key is
  'Numbers the transitions of one task, or of one step; 0 is the creation.';

revoke all on table tasker.feed_events from public;
