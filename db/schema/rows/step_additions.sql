create table tasker.step_additions (
  step_no             integer  not null,
  workflow_step_uuid  uuid     not null,
  name                text     not null,
  created             boolean  not null,

  constraint step_additions_row_type_check
    check (false) no inherit
);

comment on table tasker.step_additions is
  'Row type: a step that was added to a running task.';
comment on column tasker.step_additions.created is
  'False if the task already had a step of that name.';

revoke all on table tasker.step_additions from public;
