-- WarmSession prepares the plans that this connection needs for calls that create tasks, claim steps and record
-- results. So the first such call costs no more than later calls. It returns false if this failed.
-- name: WarmSession :one
select tasker.warm_session();

-- RunMaintenance does the maintenance duty that has been due longest, or the named duty, and returns the row of the
-- duty. It returns no row if no duty is due or if another session is doing the duty. Call it outside of a transaction
-- until it returns no row.
-- name: RunMaintenance :many
select * from tasker.run_maintenance(sqlc.narg('duty'));

-- ListMaintenanceDuties returns the duties of maintenance, and for each duty when it runs and how its last run ended.
-- name: ListMaintenanceDuties :many
select * from tasker.list_maintenance_duties();

-- SetupCron creates jobs of pg_cron that maintain this database. The jobs run as the caller's role. If enabled is
-- false, it removes these jobs.
-- name: SetupCron :many
select * from tasker.setup_cron(@enabled, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));

-- NoteCronJob writes a change of a job of pg_cron into the log of administration. SetupCron calls it.
-- name: NoteCronJob :one
select tasker.note_cron_job(
  @job_name, sqlc.narg('was'), sqlc.narg('becomes'), p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason')
);

-- DoDuties does one duty of maintenance: among the duties that workers may do, the duty that has been due longest. It
-- returns no row if no duty is due. A worker repeats the call until there is no row, each call in a transaction of
-- its own.
-- name: DoDuties :many
select * from tasker.do_duties();
