-- down: delete from tasker.settings as s where s.name in ('incident_seconds', 'tenant', 'disk_gigabytes', 'runbook');
insert into tasker.settings (name, kind, value, default_value, minimum, maximum, description)
values
  ('incident_seconds', 'integer', '15', '15', 1, 3600, 'How often maintenance judges incidents.'),
  ('tenant', 'tenant', 'none', 'none', null, null, 'Which part of a task names its tenant: none, tag: with the beginning of a tag, or context: with a path such as customer.id.'),
  ('disk_gigabytes', 'integer', '0', '0', 0, 1000000000, 'How much the database may grow to on its disk, in gigabytes: a database cannot see how much of its disk is free. 0 is not known, and then no incident warns of a full disk.'),
  ('runbook', 'link', 'https://github.com/pgtasker/pgtasker/blob/main/docs/howto/incidents.md#{kind}', 'https://github.com/pgtasker/pgtasker/blob/main/docs/howto/incidents.md#{kind}', null, null, 'The page with instructions for an incident. {kind} becomes the kind of the incident, such as failing.');
