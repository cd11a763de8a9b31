create or replace view tasker_compat.named_tasks_named_steps as
select
  tasker.transition_uuid(s.named_task_uuid, s.step_no, 0) as ntns_uuid,
  s.named_task_uuid,
  s.named_step_uuid,
  s.step_name,
  s.retryable as default_retryable,
  s.max_attempts as default_max_attempts,
  k.created_at,
  k.created_at as updated_at
from tasker.named_tasks_named_steps as s
join tasker.named_tasks as k
  on k.named_task_uuid = s.named_task_uuid;

comment on view tasker_compat.named_tasks_named_steps is
  'The steps of templates. ntns_uuid is derived from the template and the number of the step.';
