create table tasker.worker_details (
  worker_uuid    uuid         not null,
  name           text         not null,
  namespaces     text[]       not null,
  registered_at  timestamptz  not null,
  last_seen_at   timestamptz  not null,
  claimed_count  bigint       not null,
  login          text         not null,
  role           text,

  constraint worker_details_row_type_check
    check (false) no inherit
);

comment on table tasker.worker_details is
  'Row type: a worker process as lists show it.';

revoke all on table tasker.worker_details from public;
