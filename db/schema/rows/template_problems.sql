create table tasker.template_problems (
  path     text  not null,
  problem  text  not null,
  hint     text,

  constraint template_problems_row_type_check
    check (false) no inherit
);

comment on table tasker.template_problems is
  'Row type: a problem of a template.';
comment on column tasker.template_problems.path is
  'The place, for example steps[2].retry.max_attempts, counted from 0; empty for the template as a whole.';

revoke all on table tasker.template_problems from public;
