create table tasker.jobs (
  job_id      bigint       not null  generated always as identity,
  lane        tasker.lane  not null  default 'low',
  pushed_at   timestamptz  not null  default tasker.clock(),
  touched_at  timestamptz,

  constraint jobs_pkey
    primary key (job_id)
);

create index jobs_lane_idx
  on tasker.jobs (lane, job_id);

comment on table tasker.jobs is
  'Work to be done.';
comment on index tasker.jobs_lane_idx is
  'Serves claims.';

revoke all on table tasker.jobs from public;
