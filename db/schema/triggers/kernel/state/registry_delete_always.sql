-- down: nothing
-- As in triggers/always.sql: the guards also fire on a replica.
alter table tasker.named_tasks
  enable always trigger named_tasks_refuse_delete;

alter table tasker.named_steps
  enable always trigger named_steps_refuse_delete;
