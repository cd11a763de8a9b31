create table tasklib.settings (
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
    check (kind in ('integer', 'numeric', 'boolean', 'choice')),
  constraint settings_value_check
    check (tasker.setting_accepts(kind, minimum, maximum, choices, value)),
  constraint settings_default_value_check
    check (tasker.setting_accepts(kind, minimum, maximum, choices, default_value)),
  constraint settings_range_check
    check (minimum <= maximum),
  constraint settings_choices_check
    check ((kind = 'choice') = (choices is not null))
);

comment on table tasklib.settings is
  'The settings of tasklib. The function tasklib.set_setting changes a setting. If an argument of a function is null, the setting applies.';
comment on column tasklib.settings.changed_at is
  'The time of the last change. Null if the value was never changed since the migration.';
