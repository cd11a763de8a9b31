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
  'Serves the bound on new causes of a handler within an hour.';

comment on table tasker.error_causes is
  'One row for each cause of failures: a namespace, a handler, and the text of the error without its varying parts. A cause is kept for 30 days after its last failure.';
comment on column tasker.error_causes.fingerprint is
  'tasker.error_fingerprint of namespace, handler and masked text.';
comment on column tasker.error_causes.first_error is
  'The first text of this cause, at most 2,000 characters of it.';
