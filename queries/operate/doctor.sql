-- CheckInstallation checks the server and the database. It returns a row for each check, with the status "ok",
-- "warn" or "fail".
-- name: CheckInstallation :many
select * from tasker.check_installation();

-- StandbyLag returns how many seconds this standby is behind its primary. It returns 0 on a primary.
-- name: StandbyLag :one
select coalesce(tasker.standby_lag(), 0)::double precision as seconds;

-- SchemaBuild returns a digest of the files of the applied migrations up to this version, and the newest applied
-- version.
-- name: SchemaBuild :one
select * from tasker.schema_build(@version);

-- ListSchemaBuilds returns the files of db/schema that each applied migration was composed of, with their digests.
-- name: ListSchemaBuilds :many
select * from tasker.list_schema_builds();
