create table tasker.creation_templates (
  named_task_uuid    uuid     not null,
  version            text     not null,
  identity_strategy  text     not null,
  total_steps        integer  not null,
  root_steps         integer  not null,
  waiting_roots      integer  not null,
  has_maps           boolean  not null,
  transport          text     not null,
  paused             boolean  not null,
  context_bytes      integer  not null,
  range_ends_at      timestamptz,
  has_limits         boolean  not null,
  has_compensations  boolean  not null,

  constraint creation_templates_row_type_check
    check (false) no inherit
);

comment on table tasker.creation_templates is
  'Row type: all that creation needs of a template, its namespace and the settings, from one query.';
comment on column tasker.creation_templates.range_ends_at is
  'The end of the newest range that has begun: UUIDs of new tasks lie before it. Null if there is none.';

revoke all on table tasker.creation_templates from public;
