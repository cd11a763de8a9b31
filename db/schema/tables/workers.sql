create table tasker.workers (
  worker_uuid    uuid         not null,
  name           text         not null,
  namespaces     text[]       not null  default '{}',
  registered_at  timestamptz  not null  default tasker.clock(),
  last_seen_at   timestamptz  not null  default tasker.clock(),
  claimed_count  bigint       not null  default 0,

  constraint workers_pkey
    primary key (worker_uuid),
  constraint workers_name_check
    check (length(name) between 1 and 200),
  constraint workers_claimed_count_check
    check (claimed_count >= 0)
) with (fillfactor = 50);

comment on table tasker.workers is
  'Worker processes, by the UUID that their claims carry.';

revoke all on table tasker.workers from public;
