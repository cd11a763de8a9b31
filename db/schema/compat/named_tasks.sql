create or replace view tasker_compat.named_tasks as
select
  k.named_task_uuid,
  k.task_namespace_uuid,
  k.task_namespace_uuid as namespace_id,
  k.name,
  k.version,
  k.description,
  k.configuration,
  k.identity_strategy,
  k.created_at,
  k.created_at as updated_at
from tasker.named_tasks as k;

comment on view tasker_compat.named_tasks is
  'tasker.named_tasks with namespace_id.';
