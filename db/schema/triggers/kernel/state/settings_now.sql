create or replace trigger settings_refresh_now
  after insert or update or delete on tasker.settings
  for each statement execute function tasker.refresh_settings_now();

-- Only a namespace with a broker, or a namespace that always notifies, can change the row. The registration of other
-- namespaces must not wait for the row.
create or replace trigger task_namespaces_refresh_settings_now
  after insert on tasker.task_namespaces
  for each row when (new.transport = 'broker' or new.notify = 'always') execute function tasker.refresh_settings_now();

create or replace trigger task_namespaces_mode_refresh_settings_now
  after update on tasker.task_namespaces
  for each row when (
    new.transport <> old.transport and 'broker' in (new.transport, old.transport)
    or new.notify is distinct from old.notify and (new.notify = 'always' or old.notify = 'always')
  ) execute function tasker.refresh_settings_now();

create or replace trigger task_namespaces_delete_refresh_settings_now
  after delete on tasker.task_namespaces
  for each row when (old.transport = 'broker' or old.notify = 'always') execute function tasker.refresh_settings_now();

create or replace trigger role_bindings_refresh_settings_now
  after insert or update or delete on tasker.role_bindings
  for each statement execute function tasker.refresh_settings_now();

create or replace trigger limit_handlers_refresh_settings_now
  after insert or update or delete on tasker.limit_handlers
  for each statement execute function tasker.refresh_settings_now();

create or replace trigger handler_pauses_refresh_settings_now
  after insert or update or delete on tasker.handler_pauses
  for each statement execute function tasker.refresh_settings_now();

-- Each registration inserts handlers, but the database itself runs only a few of them.
create or replace trigger named_steps_refresh_settings_now
  after insert on tasker.named_steps
  for each row when (starts_with(new.name, 'sql:')) execute function tasker.refresh_settings_now();

create or replace trigger named_steps_delete_refresh_settings_now
  after delete on tasker.named_steps
  for each row when (starts_with(old.name, 'sql:')) execute function tasker.refresh_settings_now();

-- Ranges that have ended do not matter to creations. Retention drops them under exclusive locks and must not wait for the row.
create or replace trigger partition_ranges_refresh_settings_now
  after insert on tasker.partition_ranges
  for each row when (new.ends_at > tasker.clock()) execute function tasker.refresh_settings_now();

create or replace trigger partition_ranges_bounds_refresh_settings_now
  after update of starts_at, ends_at on tasker.partition_ranges
  for each row execute function tasker.refresh_settings_now();

create or replace trigger partition_ranges_delete_refresh_settings_now
  after delete on tasker.partition_ranges
  for each row when (old.ends_at > tasker.clock()) execute function tasker.refresh_settings_now();

comment on trigger settings_refresh_now on tasker.settings is
  'Maintains tasker.settings_now.';
comment on trigger task_namespaces_refresh_settings_now on tasker.task_namespaces is
  'Maintains tasker.settings_now: any_brokered and any_announced.';
comment on trigger task_namespaces_mode_refresh_settings_now on tasker.task_namespaces is
  'Maintains tasker.settings_now: any_brokered and any_announced.';
comment on trigger task_namespaces_delete_refresh_settings_now on tasker.task_namespaces is
  'Maintains tasker.settings_now: any_brokered and any_announced.';
comment on trigger role_bindings_refresh_settings_now on tasker.role_bindings is
  'Maintains tasker.settings_now.any_bound.';
comment on trigger limit_handlers_refresh_settings_now on tasker.limit_handlers is
  'Maintains tasker.settings_now.limited_handlers.';
comment on trigger handler_pauses_refresh_settings_now on tasker.handler_pauses is
  'Maintains tasker.settings_now.paused_handlers.';
comment on trigger named_steps_refresh_settings_now on tasker.named_steps is
  'Maintains tasker.settings_now.handled_here.';
comment on trigger named_steps_delete_refresh_settings_now on tasker.named_steps is
  'Maintains tasker.settings_now.handled_here.';
comment on trigger partition_ranges_refresh_settings_now on tasker.partition_ranges is
  'Maintains tasker.settings_now.covered_from and covered_until.';
comment on trigger partition_ranges_bounds_refresh_settings_now on tasker.partition_ranges is
  'Maintains tasker.settings_now.covered_from and covered_until.';
comment on trigger partition_ranges_delete_refresh_settings_now on tasker.partition_ranges is
  'Maintains tasker.settings_now.covered_from and covered_until.';
