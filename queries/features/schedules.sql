-- SetSchedule creates or changes a schedule. From now on, every tick of the schedule creates a task of its
-- template. The call is idempotent.
-- name: SetSchedule :one
select * from tasker.set_schedule(
  p_namespace => @namespace,
  p_schedule => @schedule,
  p_task_name => @task_name,
  p_cron => sqlc.narg('cron'),
  p_every_seconds => sqlc.narg('every_seconds'),
  p_timezone => @timezone,
  p_task_version => sqlc.narg('task_version'),
  p_context => @context,
  p_priority => @priority,
  p_tags => @tags::text[],
  p_deadline_seconds => sqlc.narg('deadline_seconds'),
  p_jitter_seconds => @jitter_seconds,
  p_starts_at => sqlc.narg('starts_at'),
  p_ends_at => sqlc.narg('ends_at'),
  p_catch_up => @catch_up,
  p_catch_up_limit => @catch_up_limit,
  p_overlap => @overlap,
  p_actor => sqlc.narg('act_actor'),
  p_reason => sqlc.narg('act_reason')
);

-- DeleteSchedule ends a schedule, and reports whether the schedule existed.
-- name: DeleteSchedule :one
select tasker.delete_schedule(@namespace, @schedule, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));

-- PauseSchedule stops a schedule. It returns false if the schedule was paused before, and ErrNotFound if the
-- schedule does not exist.
-- name: PauseSchedule :one
select tasker.pause_schedule(@namespace, @schedule, sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));

-- ResumeSchedule lets a paused schedule tick again. It returns false if the schedule was not paused, and
-- ErrNotFound if the schedule does not exist.
-- name: ResumeSchedule :one
select tasker.resume_schedule(@namespace, @schedule, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));

-- RunScheduleNow creates a task of a schedule at once, outside of its ticks. It returns the entry of the
-- schedule's history.
-- name: RunScheduleNow :one
select * from tasker.run_schedule_now(
  @namespace, @schedule, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason')
);

-- BackfillSchedule starts a backfill of a past period. Later claims create the tasks of its ticks. Without times, it
-- ends the running backfill. It returns ErrConflict if a backfill runs already.
-- name: BackfillSchedule :one
select * from tasker.backfill_schedule(@namespace, @schedule, sqlc.narg('from_at'), sqlc.narg('until_at'), @overlap, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));

-- ListSchedules returns the schedules of a namespace by name. Without a namespace, it returns the schedules
-- of all namespaces.
-- name: ListSchedules :many
select * from tasker.list_schedules(sqlc.narg('namespace'));

-- ListScheduleTicks returns the outcomes of a schedule's ticks, the newest first. If before is given, it returns
-- only ticks with a lower number.
-- name: ListScheduleTicks :many
select * from tasker.list_schedule_ticks(@namespace, @schedule, @max_rows, sqlc.narg('before'));

-- NextRuns returns the next ticks of a schedule.
-- name: NextRuns :many
select * from tasker.next_runs(@namespace, @schedule, @max_rows);
