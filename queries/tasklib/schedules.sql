-- NextTick returns when a cron expression next ticks after a time. A nil time means now.
-- name: NextTick :one
select tasklib.next_tick(@cron, @timezone, sqlc.narg('after'));

-- ScheduleTask submits a task at every tick of a cron expression from now on.
-- name: ScheduleTask :one
select * from tasklib.schedule_task(
  p_schedule => @schedule,
  p_name => @name,
  p_cron => @cron,
  p_timezone => @timezone,
  p_kwargs => @kwargs,
  p_missed => @missed,
  p_priority => @priority,
  p_max_retries => sqlc.narg('max_retries'),
  p_timeout_seconds => sqlc.narg('timeout_seconds'),
  p_tags => sqlc.narg('tags'),
  p_actor => sqlc.narg('actor'),
  p_reason => sqlc.narg('reason')
);

-- UnscheduleTask ends a schedule, and reports whether the schedule existed.
-- name: UnscheduleTask :one
select tasklib.unschedule_task(@schedule, p_actor => sqlc.narg('actor'), p_reason => sqlc.narg('reason'));

-- ListSchedules returns the schedules by name.
-- name: ListSchedules :many
select * from tasklib.list_schedules();

-- FireSchedules submits the tasks of schedules that are due, and returns how many tasks it submitted.
-- name: FireSchedules :one
select tasklib.fire_schedules(@max_ticks);

-- ListScheduleTicks returns the outcomes of a schedule's ticks, the newest first. If before is given, it returns only
-- ticks with a lower number.
-- name: ListScheduleTicks :many
select * from tasklib.list_schedule_ticks(@schedule, @max_ticks, sqlc.narg('before'));
