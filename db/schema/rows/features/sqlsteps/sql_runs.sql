create or replace view tasker.sql_runs as
select
  0::integer as completed,
  0::integer as failed,
  0::integer as put_off,
  false::boolean as more
where false;

comment on view tasker.sql_runs is
  'Row type: the report of a call of tasker.run_sql_steps.';
comment on column tasker.sql_runs.put_off is
  'The number of steps that the call claimed but did not run. A row in tasker.sql_attempts lets a later call run each of these steps alone.';
comment on column tasker.sql_runs.more is
  'Whether more work is due, so that another call should follow at once.';
