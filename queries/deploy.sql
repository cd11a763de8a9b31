-- CheckTemplateChange returns what it means to deploy a version of a template, with the database as it is. It changes nothing.
-- name: CheckTemplateChange :many
select * from tasker.check_template_change(@template);
