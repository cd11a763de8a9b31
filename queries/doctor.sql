-- CheckInstallation returns what there is to say about the server and the database: a row for each thing
-- that was looked at, its status ok, warn or fail.
-- name: CheckInstallation :many
select * from tasker.check_installation();

-- StandbyLag returns how many seconds this standby is behind its primary; 0 on a primary.
-- name: StandbyLag :one
select coalesce(tasker.standby_lag(), 0)::double precision as seconds;
