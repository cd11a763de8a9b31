create table tasker.limit_key_details (
  limit_key       text              not null,
  in_use          bigint            not null,
  waiting         bigint            not null,
  oldest_seconds  double precision  not null,
  next_start_at   timestamptz,

  constraint limit_key_details_row_type_check
    check (false) no inherit
);

comment on table tasker.limit_key_details is
  'Row type: a key of a limit and what stands in it.';
comment on column tasker.limit_key_details.next_start_at is
  'When the rate allows the next start; null without a rate, or if that is now.';

revoke all on table tasker.limit_key_details from public;
