create table tasker.subscription_details (
  subscription     text              not null,
  namespaces       text[],
  templates        text[],
  kinds            text[]            not null,
  events           text[],
  target           jsonb,
  complete_until   timestamptz       not null,
  lag_seconds      double precision  not null,
  behind           boolean           not null,
  reader           text,
  leased_until     timestamptz,
  delivered        bigint            not null,
  dead             bigint            not null,
  failures         integer           not null,
  last_error       text,
  last_error_at    timestamptz,
  next_attempt_at  timestamptz,
  created_at       timestamptz       not null,
  created_by       text              not null,
  updated_at       timestamptz       not null,
  updated_by       text              not null,

  constraint subscription_details_row_type_check
    check (false) no inherit
);

comment on table tasker.subscription_details is
  'Row type: a subscription to the feed, and how far it has come.';
comment on column tasker.subscription_details.complete_until is
  'Everything committed before was delivered.';
comment on column tasker.subscription_details.lag_seconds is
  'The time since complete_until: it grows while no process reads, also without events.';
comment on column tasker.subscription_details.behind is
  'Whether retention has dropped events that it has not come to.';
comment on column tasker.subscription_details.dead is
  'How many events were given up; tasker.list_dead_events has the latest.';

revoke all on table tasker.subscription_details from public;
