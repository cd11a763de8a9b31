create table tasker.workers (
  worker_uuid        uuid         not null,
  name               text         not null,
  login              text         not null  default session_user,
  role               text,
  namespaces         text[]       not null  default '{}',
  handlers           text[],
  registered_at      timestamptz  not null  default tasker.clock(),
  last_seen_at       timestamptz  not null  default tasker.clock(),
  claimed_count      bigint       not null  default 0,
  request_uuid       uuid,
  request_steps      uuid[],
  request_claim_nos  integer[],

  constraint workers_pkey
    primary key (worker_uuid),
  constraint workers_name_check
    check (length(name) between 1 and 200),
  constraint workers_claimed_count_check
    check (claimed_count >= 0),
  constraint workers_request_check
    check (cardinality(request_steps) = cardinality(request_claim_nos))
) with (fillfactor = 50);

comment on table tasker.workers is
  'Worker processes, by the UUID that their claims carry.';

comment on column tasker.workers.login is
  'The role that was logged in when it was entered, with the one that it had set in "role" if that is another: other roles may not work under its UUID.';
comment on column tasker.workers.handlers is
  'Its handlers; null if it has not named them, so that it may have any.';
comment on column tasker.workers.request_uuid is
  'The newest claim with a request''s UUID and the steps that it handed out: a repeat hands out the same steps.';

revoke all on table tasker.workers from public;
