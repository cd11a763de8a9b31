-- CheckTemplateChange returns what it means to deploy a version of a template, with the database as it is. It changes nothing.
-- name: CheckTemplateChange :many
select * from tasker.check_template_change(@template);

-- ListDivergedTemplates returns the versions of templates whose steps wait for a program that fits what they have kept.
-- name: ListDivergedTemplates :many
select * from tasker.list_diverged_templates(sqlc.narg('namespaces')::text[]);
