create or replace view tasker.cron_fields as
select
  '{}'::integer[] as minutes,
  '{}'::integer[] as hours,
  '{}'::integer[] as days,
  '{}'::integer[] as months,
  '{}'::integer[] as weekdays,
  false::boolean as either_day
where false;

comment on view tasker.cron_fields is
  'Row type: a cron expression, field by field. Weekdays are 0 (Sunday) to 6.';
comment on column tasker.cron_fields.either_day is
  'Whether both the day of the month and the weekday are restricted. If so, a day matches if either of them matches.';
