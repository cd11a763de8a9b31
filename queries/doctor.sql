-- CheckInstallation returns what there is to say about the server and the database: a row for each thing
-- that was looked at, its status ok, warn or fail.
-- name: CheckInstallation :many
select * from tasker.check_installation();
