create table tasker.event_matches (
  task_uuid   uuid     not null,
  step_no     integer  not null,
  event_uuid  uuid     not null,
  function    boolean  not null,

  constraint event_matches_row_type_check
    check (false) no inherit
);

comment on table tasker.event_matches is
  'Row type: a step that waits, and the event that it takes.';
comment on column tasker.event_matches.function is
  'Whether the step runs a durable function, which goes on, instead of only waiting.';

revoke all on table tasker.event_matches from public;
