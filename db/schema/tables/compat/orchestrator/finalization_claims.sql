create table tasker.finalization_claims (
  task_uuid         uuid         not null,
  transition_count  integer      not null,
  claimed_at        timestamptz  not null,
  claimed_until     timestamptz  not null,
  processor_uuid    uuid         not null,

  constraint finalization_claims_pkey
    primary key (task_uuid)
);

create index finalization_claims_until_idx
  on tasker.finalization_claims (claimed_until);

comment on index tasker.finalization_claims_until_idx is
  'Serves the deletion of claims that ended long ago.';

comment on table tasker.finalization_claims is
  'Tasks whose finalisation an orchestrator has claimed. The table stays small and is not partitioned, because claims delete old rows.';
comment on column tasker.finalization_claims.transition_count is
  'The number of transitions of the task at the time of the claim. The next move of the task ends the claim.';
