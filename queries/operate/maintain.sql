-- WarmSession makes the plans of this connection's creation, claim and result calls, so that the first of each costs no
-- more than those after it; false if they could not be made.
-- name: WarmSession :one
select tasker.warm_session();

-- RunMaintenance does the duty that has been due longest, or the one named, and returns its row; none if
-- nothing is due or another session is at it. Call it outside of a transaction until it returns none.
-- name: RunMaintenance :many
select * from tasker.run_maintenance(sqlc.narg('duty'));

-- ListMaintenanceDuties returns what maintenance does, when and how it went last time.
-- name: ListMaintenanceDuties :many
select * from tasker.list_maintenance_duties();

-- SetupCron has pg_cron run housekeeping in this database, as the caller, or no longer if not enabled.
-- name: SetupCron :many
select * from tasker.setup_cron(@enabled, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));

-- NoteCronJob writes into the log of administration what SetupCron changed in a job of pg_cron, which calls it.
-- name: NoteCronJob :one
select tasker.note_cron_job(
  @job_name, sqlc.narg('was'), sqlc.narg('becomes'), p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason')
);

-- DoDuties does the duty of maintenance that has been due longest, of those that workers may do; no row if none is
-- due. It is called until there is no row, each call in a transaction of its own.
-- name: DoDuties :many
select * from tasker.do_duties();
