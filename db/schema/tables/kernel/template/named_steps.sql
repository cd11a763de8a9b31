create table tasker.named_steps (
  named_step_uuid  uuid         not null  default tasker.uuid_generate_v7(),
  name             text         not null,
  description      text,
  created_at       timestamptz  not null  default tasker.clock(),

  constraint named_steps_pkey
    primary key (named_step_uuid),
  constraint named_steps_name_key
    unique (name),
  constraint named_steps_name_check
    check (name ~ '^[a-zA-Z0-9][a-zA-Z0-9_.:+-]{0,239}$')
);

comment on table tasker.named_steps is
  'A handler, by the name under which workers register it. Steps of any template may use it.';
comment on column tasker.named_steps.name is
  'Long enough for namespace.template:version.step with the longest name of each part. Package workflow names handlers like this.';
