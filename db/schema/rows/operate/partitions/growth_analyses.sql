create or replace view tasker.growth_analyses as
select
  0::bigint as tasks,
  0::bigint as steps,
  0::bigint as bytes,
  0::numeric as tasks_per_day,
  0::numeric as bytes_per_day,
  0::numeric as days_observed,
  ''::text as partition_unit,
  ''::text as recommended_unit,
  0::integer as ranges_then,
  0::numeric as bytes_then,
  ''::text as advice
where false;

comment on view tasker.growth_analyses is
  'Row type: how fast the run tables grow, and which ranges suit that.';
comment on column tasker.growth_analyses.tasks is
  'An estimate, from the server''s statistics.';
comment on column tasker.growth_analyses.days_observed is
  'The period behind the figures per day: at most the last thirty days.';
comment on column tasker.growth_analyses.ranges_then is
  'The number of ranges that there will be with the recommended unit, when retention has caught up.';
comment on column tasker.growth_analyses.bytes_then is
  'How much the run tables will hold when retention has caught up, at this rate.';
