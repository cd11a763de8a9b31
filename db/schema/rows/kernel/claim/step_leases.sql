create or replace view tasker.step_leases as
select
  '00000000-0000-0000-0000-000000000000'::uuid as step_uuid,
  0::integer as claim_no,
  'extended'::tasker.lease_answer as answer,
  null::timestamptz as lease_until
where false;

comment on view tasker.step_leases is
  'Row type: the answer to the renewal of one step''s lease.';
comment on column tasker.step_leases.answer is
  'extended; stale (the claim is no longer the current one, or has its result); cancelled; not_found; busy (another transaction holds the step at the moment).';
