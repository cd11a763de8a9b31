create table tasker.task_template_summaries (
  named_task_uuid    uuid         not null,
  namespace          text         not null,
  name               text         not null,
  version            text         not null,
  description        text,
  identity_strategy  text         not null,
  on_failure         text         not null,
  step_count         integer      not null,
  created_at         timestamptz  not null,
  retired_at         timestamptz,

  constraint task_template_summaries_row_type_check
    check (false) no inherit
);

comment on table tasker.task_template_summaries is
  'Row type: a registered template in a list, without its steps.';

revoke all on table tasker.task_template_summaries from public;
