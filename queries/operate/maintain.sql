-- WarmSession makes the plans of this connection's creation, claim and result calls, so that the first of each costs no
-- more than later calls. It returns false if the plans could not be made.
-- name: WarmSession :one
select tasker.warm_session();

-- RunMaintenance does the duty that has been due longest, or the named duty, and returns its row. It returns
-- no row if no duty is due or another session is doing it. Call it outside of a transaction until it returns
-- no row.
-- name: RunMaintenance :many
select * from tasker.run_maintenance(sqlc.narg('duty'));

-- ListMaintenanceDuties returns the duties of maintenance, when each runs and how it went last time.
-- name: ListMaintenanceDuties :many
select * from tasker.list_maintenance_duties();

-- SetupCron creates jobs of pg_cron that maintain this database as the caller. If not enabled, it removes
-- these jobs.
-- name: SetupCron :many
select * from tasker.setup_cron(@enabled, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));

-- NoteCronJob writes a change of a job of pg_cron into the log of administration. SetupCron calls it.
-- name: NoteCronJob :one
select tasker.note_cron_job(
  @job_name, sqlc.narg('was'), sqlc.narg('becomes'), p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason')
);

-- DoDuties does the duty of maintenance that has been due longest, among the duties that workers may do. It
-- returns no row if no duty is due. A worker calls it until there is no row, each call in a transaction of its
-- own.
-- name: DoDuties :many
select * from tasker.do_duties();
