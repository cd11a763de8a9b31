create table tasker.settings_now (
  only_row             boolean  not null  default true,
  lease_seconds        integer  not null,
  max_lost             integer  not null,
  result_bytes         integer  not null,
  claim_bytes          integer  not null,
  lane_weight_high     numeric  not null,
  lane_weight_normal   numeric  not null,
  lane_weight_low      numeric  not null,
  backoff_base         numeric  not null,
  backoff_multiplier   numeric  not null,
  max_backoff_seconds  integer  not null,
  backoff_jitter       numeric  not null,
  any_bound            boolean  not null,
  kept_results         integer  not null,
  kept_bytes           bigint   not null,
  limited_handlers     text[],
  any_brokered         boolean  not null,
  paused_handlers      text[]   not null,
  handled_here         uuid[]   not null,
  context_bytes        integer  not null,
  notify               text     not null,
  any_announced             boolean  not null,
  covered_from         timestamptz,
  covered_until        timestamptz,

  constraint settings_now_pkey
    primary key (only_row),
  constraint settings_now_only_row_check
    check (only_row)
);

comment on table tasker.settings_now is
  'The settings and facts about namespaces, bindings and partitions that an exchange or a creation needs, in one row. Triggers of the tables behind these facts maintain the row. Never change the row by hand.';
comment on column tasker.settings_now.any_bound is
  'Whether some role is bound to namespaces.';
comment on column tasker.settings_now.limited_handlers is
  'The handlers whose steps name a limit. Claims for other handlers do not read limits. Null if there are more than a hundred such handlers. Claims for all handlers then read limits.';
comment on column tasker.settings_now.any_brokered is
  'Whether the column transport of some namespace is broker.';
comment on column tasker.settings_now.any_announced is
  'Whether the setting notify, or the column notify of some namespace, is all.';
comment on column tasker.settings_now.paused_handlers is
  'The handlers that are paused, each as namespace/named_step_uuid. Claims skip the steps of these handlers. In most databases the array is empty, and claims then check no pauses.';
comment on column tasker.settings_now.handled_here is
  'The handlers whose steps the database runs itself. A worker that names no handlers does not get their steps.';
comment on column tasker.settings_now.covered_from is
  'The beginning of the time, up to covered_until, that ranges of partitions cover without a gap. A creation in that time need not read the ranges. Null if no range has begun.';
