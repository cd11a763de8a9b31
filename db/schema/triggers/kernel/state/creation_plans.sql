create or replace trigger task_namespaces_keep_creation_plans
  after update on tasker.task_namespaces
  for each row when (
    (new.name, new.transport, new.notify, new.paused_at is null)
    is distinct from (old.name, old.transport, old.notify, old.paused_at is null)
  ) execute function tasker.keep_creation_plans();

create or replace trigger named_tasks_keep_creation_plans
  after insert or update on tasker.named_tasks
  for each row execute function tasker.keep_creation_plans();

create or replace trigger named_tasks_named_steps_keep_creation_plans
  after insert on tasker.named_tasks_named_steps
  referencing new table as changed_rows
  for each statement execute function tasker.keep_creation_plans();

create or replace trigger named_tasks_named_steps_update_keeps_creation_plans
  after update on tasker.named_tasks_named_steps
  referencing new table as changed_rows
  for each statement execute function tasker.keep_creation_plans();

create or replace trigger named_tasks_named_steps_delete_keeps_creation_plans
  after delete on tasker.named_tasks_named_steps
  referencing old table as changed_rows
  for each statement execute function tasker.keep_creation_plans();

comment on trigger task_namespaces_keep_creation_plans on tasker.task_namespaces is
  'Maintains tasker.creation_plans: transport, notify and pause.';
comment on trigger named_tasks_keep_creation_plans on tasker.named_tasks is
  'Maintains tasker.creation_plans: new and retired versions.';
comment on trigger named_tasks_named_steps_keep_creation_plans on tasker.named_tasks_named_steps is
  'Maintains tasker.creation_plans: ready and the first step.';
comment on trigger named_tasks_named_steps_update_keeps_creation_plans on tasker.named_tasks_named_steps is
  'Maintains tasker.creation_plans: ready and the first step.';
comment on trigger named_tasks_named_steps_delete_keeps_creation_plans on tasker.named_tasks_named_steps is
  'Maintains tasker.creation_plans: ready and the first step.';
