create table tasker.step_leases (
  step_uuid    uuid     not null,
  claim_no     integer  not null,
  answer       text     not null,
  lease_until  timestamptz,

  constraint step_leases_row_type_check
    check (false) no inherit
);

comment on table tasker.step_leases is
  'Row type: the answer to the renewal of one step''s lease.';
comment on column tasker.step_leases.answer is
  'extended; stale (the claim is no longer the current one, or has its result); cancelled; not_found; busy (another transaction holds the step at the moment).';

revoke all on table tasker.step_leases from public;
