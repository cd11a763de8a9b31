create table tasker.template_registrations (
  named_task_uuid  uuid     not null,
  namespace        text     not null,
  name             text     not null,
  version          text     not null,
  step_count       integer  not null,
  content_hash     bytea    not null,
  created          boolean  not null,
  retired_at       timestamptz,

  constraint template_registrations_row_type_check
    check (false) no inherit
);

comment on table tasker.template_registrations is
  'Row type: the outcome of a registration.';
comment on column tasker.template_registrations.created is
  'Whether this call registered it; false if the same content was already registered.';

revoke all on table tasker.template_registrations from public;
