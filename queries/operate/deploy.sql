-- CheckTemplateChange returns the consequences of deploying a version of a template, with the database as it is. It changes
-- nothing.
-- name: CheckTemplateChange :many
select * from tasker.check_template_change(@template);

-- ListDivergedTemplates returns the versions of templates whose steps wait for a program that fits their kept results.
-- name: ListDivergedTemplates :many
select * from tasker.list_diverged_templates(sqlc.narg('namespaces')::text[]);

-- ListRefusedPrograms returns the programs that were refused under a version that another program had registered with other types.
-- name: ListRefusedPrograms :many
select * from tasker.list_refused_programs(sqlc.narg('namespaces')::text[]);

-- NoteRefusedProgram notes that RegisterTaskTemplate refused a program because of its types. The refusal rolled back the
-- transaction of the registration.
-- name: NoteRefusedProgram :one
select tasker.note_refused_program(@template);
