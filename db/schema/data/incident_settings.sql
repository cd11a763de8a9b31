-- down: delete from tasker.settings as s where s.name in ('incident_seconds');
insert into tasker.settings (name, kind, value, default_value, minimum, maximum, description)
values
  ('incident_seconds', 'integer', '15', '15', 1, 3600, 'How often maintenance judges incidents.');
