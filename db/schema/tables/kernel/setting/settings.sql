create table tasker.settings (
  name           text         not null,
  kind           text         not null,
  value          text         not null,
  default_value  text         not null,
  minimum        numeric,
  maximum        numeric,
  choices        text[],
  description    text         not null,
  changed_at     timestamptz,
  changed_by     text,

  constraint settings_pkey
    primary key (name),
  constraint settings_name_check
    check (name ~ '^[a-z][a-z0-9_]{0,62}$'),
  constraint settings_kind_check
    check (kind in ('integer', 'numeric', 'boolean', 'choice', 'tenant', 'link')),
  constraint settings_value_check
    check (tasker.setting_accepts(kind, minimum, maximum, choices, value)),
  constraint settings_default_value_check
    check (tasker.setting_accepts(kind, minimum, maximum, choices, default_value)),
  constraint settings_range_check
    check (minimum <= maximum),
  constraint settings_choices_check
    check ((kind = 'choice') = (choices is not null))
);

comment on table tasker.settings is
  'The only place for tunables. The function tasker.set_setting changes a setting. If a function''s argument is null, the function uses the setting.';
comment on column tasker.settings.changed_at is
  'The time when the value was last changed. Null if the value is still the default from the migration.';
