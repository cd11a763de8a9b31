create table tasker.handler_hours (
  namespace  text         not null,
  handler    text         not null,
  bucket     timestamptz  not null,
  results    bigint       not null,
  failures   bigint       not null,

  constraint handler_hours_pkey
    primary key (namespace, handler, bucket) include (results, failures)
);

comment on table tasker.handler_hours is
  'The numbers of results and failures of a handler in an hour, from tasker.step_rollups. The usual share of failures is computed from these rows, which are kept for two days.';
