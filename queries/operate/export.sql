-- ExportTask returns a task as one document. docs/task-export.schema.json describes its format. If payloads is false,
-- the document has no payloads. It has null at each of the paths in blank.
-- name: ExportTask :one
select tasker.export_task(@task_uuid, @payloads, @blank::text[]);
