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
  'Row type: the growth of the run tables, and the recommended length of their ranges.';
comment on column tasker.growth_analyses.tasks is
  'The number of tasks, estimated from the server''s statistics.';
comment on column tasker.growth_analyses.days_observed is
  'The number of days that the daily figures cover: at most the last thirty days.';
comment on column tasker.growth_analyses.ranges_then is
  'The number of ranges that will exist with the recommended unit once retention drops as many ranges as are created.';
comment on column tasker.growth_analyses.bytes_then is
  'The size of the run tables, in bytes, once retention drops as much data as is written at the present rate.';
