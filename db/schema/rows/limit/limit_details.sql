create table tasker.limit_details (
  namespace       text              not null,
  name            text              not null,
  concurrency     integer,
  rate            integer,
  per_seconds     integer           not null,
  burst           integer           not null,
  in_use          bigint            not null,
  waiting         bigint            not null,
  keys            bigint            not null,
  oldest_seconds  double precision  not null,
  handlers        text[]            not null,
  updated_at      timestamptz       not null,
  updated_by      text              not null,

  constraint limit_details_row_type_check
    check (false) no inherit
);

comment on table tasker.limit_details is
  'Row type: a limit and what stands in it.';
comment on column tasker.limit_details.in_use is
  'Steps of all keys that a worker has claimed, also those whose lease has ended and that no claim has taken back yet.';
comment on column tasker.limit_details.waiting is
  'Steps of all keys that are enqueued.';
comment on column tasker.limit_details.keys is
  'Keys with a step that waits or runs.';
comment on column tasker.limit_details.oldest_seconds is
  'How long the first waiting step has waited; 0 if none waits.';

revoke all on table tasker.limit_details from public;
