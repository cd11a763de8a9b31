create or replace trigger named_tasks_refuse_delete
  before delete or truncate on tasker.named_tasks
  for each statement execute function tasker.refuse_registry_delete();

create or replace trigger named_steps_refuse_delete
  before delete or truncate on tasker.named_steps
  for each statement execute function tasker.refuse_registry_delete();

comment on trigger named_tasks_refuse_delete on tasker.named_tasks is
  'tasks.named_task_uuid has no foreign key, because every creation would pay for checking it; this trigger costs creation nothing.';
comment on trigger named_steps_refuse_delete on tasker.named_steps is
  'workflow_steps.named_step_uuid has no foreign key, because every creation would pay for checking it; this trigger costs creation nothing.';
