-- ExportTask returns a task as one document, whose format docs/task-export.schema.json describes: without payloads if
-- payloads is false, and with null at each of the paths to be blanked.
-- name: ExportTask :one
select tasker.export_task(@task_uuid, @payloads, @blank::text[]);
