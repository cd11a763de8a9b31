-- CheckTemplateChange returns the consequences that the deployment of a template version would have in the present
-- state of the database. It changes nothing.
-- name: CheckTemplateChange :many
select * from tasker.check_template_change(@template);

-- ListDivergedTemplates returns the versions of templates whose steps wait for a program that fits their kept results.
-- name: ListDivergedTemplates :many
select * from tasker.list_diverged_templates(sqlc.narg('namespaces')::text[]);

-- ListRefusedPrograms returns the programs whose registration was refused, because another program had registered
-- the same version with other types.
-- name: ListRefusedPrograms :many
select * from tasker.list_refused_programs(sqlc.narg('namespaces')::text[]);

-- NoteRefusedProgram records that RegisterTaskTemplate refused a program because of its types. It is a call of its
-- own because the refusal rolled back the transaction of the registration.
-- name: NoteRefusedProgram :one
select tasker.note_refused_program(@template);
