create or replace view tasker_compat.named_steps as
select
  h.named_step_uuid,
  h.name,
  h.name as system_name,
  h.description,
  h.created_at,
  h.created_at as updated_at
from tasker.named_steps as h;

comment on view tasker_compat.named_steps is
  'tasker.named_steps, whose name is the handler, with system_name.';
