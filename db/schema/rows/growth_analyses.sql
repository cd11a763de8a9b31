create table tasker.growth_analyses (
  tasks              bigint   not null,
  steps              bigint   not null,
  bytes              bigint   not null,
  tasks_per_day      numeric  not null,
  bytes_per_day      numeric  not null,
  days_observed      numeric  not null,
  partition_unit     text     not null,
  recommended_unit   text     not null,
  ranges_then        integer  not null,
  bytes_then         numeric  not null,
  advice             text     not null,

  constraint growth_analyses_row_type_check
    check (false) no inherit
);

comment on table tasker.growth_analyses is
  'Row type: how fast the run tables grow, and which ranges suit that.';
comment on column tasker.growth_analyses.tasks is
  'An estimate, from the server''s statistics.';
comment on column tasker.growth_analyses.days_observed is
  'The period behind the figures per day: at most the last thirty days.';
comment on column tasker.growth_analyses.ranges_then is
  'How many ranges there will be with the recommended unit, when retention has caught up.';
comment on column tasker.growth_analyses.bytes_then is
  'How much the run tables will hold when retention has caught up, at this rate.';

revoke all on table tasker.growth_analyses from public;
