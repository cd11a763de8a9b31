create or replace view tasker_compat.task_namespaces as
select
  n.task_namespace_uuid,
  n.name,
  n.description,
  n.created_at,
  n.created_at as updated_at
from tasker.task_namespaces as n;

comment on view tasker_compat.task_namespaces is
  'tasker.task_namespaces with updated_at.';
