create or replace view tasker.retention_outcomes as
select
  '-infinity'::timestamptz as starts_at,
  '-infinity'::timestamptz as ends_at,
  ''::text as outcome,
  ''::text as detail
where false;

comment on view tasker.retention_outcomes is
  'Row type: the outcome for a range whose retention has passed: dropped, evacuated, moving, moved, held or busy.';
