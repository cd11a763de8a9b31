create table tasker.task_templates (
  named_task_uuid    uuid         not null,
  namespace          text         not null,
  name               text         not null,
  version            text         not null,
  description        text,
  identity_strategy  text         not null,
  on_failure         text         not null,
  step_count         integer      not null,
  content_hash       bytea        not null,
  created_at         timestamptz  not null,
  retired_at         timestamptz,
  template           jsonb        not null,

  constraint task_templates_row_type_check
    check (false) no inherit
);

comment on table tasker.task_templates is
  'Row type: a registered template.';
comment on column tasker.task_templates.template is
  'The template in its normal form, defaults filled in. Registering it again changes nothing.';

revoke all on table tasker.task_templates from public;
