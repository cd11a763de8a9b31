create or replace trigger named_tasks_refuse_delete
  before delete or truncate on tasker.named_tasks
  for each statement execute function tasker.refuse_registry_delete();

create or replace trigger named_steps_refuse_delete
  before delete or truncate on tasker.named_steps
  for each statement execute function tasker.refuse_registry_delete();

comment on trigger named_tasks_refuse_delete on tasker.named_tasks is
  'Replaces a foreign key of tasks.named_task_uuid. A foreign key would be checked at every creation of a task, but this trigger costs nothing there.';
comment on trigger named_steps_refuse_delete on tasker.named_steps is
  'Replaces a foreign key of workflow_steps.named_step_uuid. A foreign key would be checked at every creation of a task, but this trigger costs nothing there.';
