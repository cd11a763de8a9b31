create or replace view tasker.maintenance_outcomes as
select
  null::bigint as done,
  false::boolean as more_due,
  null::text as detail
where false;

comment on view tasker.maintenance_outcomes is
  'Row type: the outcome of a maintenance duty, as tasker.maintenance_duties keeps it.';
