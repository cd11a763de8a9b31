-- down: delete from tasker.settings as s where s.name in ('mass_action_seconds');
insert into tasker.settings (name, kind, value, default_value, minimum, maximum, description)
values
  ('mass_action_seconds', 'integer', '2', '2', 1, 3600, 'How often maintenance acts on the next entries of mass actions.');
