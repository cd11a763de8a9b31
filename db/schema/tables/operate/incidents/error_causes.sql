create table tasker.error_causes (
  fingerprint  bigint       not null,
  namespace    text         not null,
  handler      text         not null,
  masked       text         not null,
  first_error  text         not null,
  first_step   uuid         not null,
  first_at     timestamptz  not null,
  last_at      timestamptz  not null,

  constraint error_causes_pkey
    primary key (fingerprint)
);

create index error_causes_handler_idx
  on tasker.error_causes (namespace, handler, first_at);

comment on index tasker.error_causes_handler_idx is
  'Serves the count of new causes of a handler within an hour, which is bounded.';

comment on table tasker.error_causes is
  'One row for each cause of failures: a namespace, a handler, and the text of the error without its varying parts. A cause is kept for 30 days after its last failure.';
comment on column tasker.error_causes.fingerprint is
  'tasker.error_fingerprint of namespace, handler and masked text.';
comment on column tasker.error_causes.first_error is
  'The error text of the first failure of this cause, cut to 2,000 characters.';
