-- EraseTask erases for good the data of a task that has ended. If children is true, it also erases the data of all
-- tasks below the task.
-- name: EraseTask :many
select * from tasker.erase_task(
  @task_uuid, p_reason => @reason, p_children => @children, p_actor => sqlc.narg('actor')
);

-- EraseTasks erases a batch of the tasks that match every filter given, or only finds them. An omitted filter matches
-- all.
-- name: EraseTasks :many
select * from tasker.erase_tasks(
  p_reason => @reason,
  p_tags => @tags::text[],
  p_key => sqlc.narg('key'),
  p_namespace => sqlc.narg('namespace'),
  p_name => sqlc.narg('name'),
  p_version => sqlc.narg('version'),
  p_requested_after => sqlc.narg('requested_after'),
  p_requested_before => sqlc.narg('requested_before'),
  p_children => @children,
  p_after => sqlc.narg('after'),
  p_limit => @max_tasks,
  p_dry_run => @dry_run,
  p_actor => sqlc.narg('actor')
);

-- ListErasures returns the erased tasks with the proofs of their erasures, the newest erasure first.
-- name: ListErasures :many
select * from tasker.list_erasures(
  sqlc.narg('task_uuid'), sqlc.narg('namespace'), sqlc.narg('before'), @max_rows
);
