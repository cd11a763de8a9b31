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
  'Steps that the call claimed and put off by writing an attempt. Each of them has a later call of its own.';
comment on column tasker.sql_runs.more is
  'Whether another call has something to do at once.';
