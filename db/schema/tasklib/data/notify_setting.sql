-- down: delete from tasklib.settings where name = 'notify';
insert into tasklib.settings (name, kind, value, default_value, choices, description)
values (
  'notify', 'choice', 'asleep', 'asleep', '{always,asleep,off}',
  'When NOTIFY announces submitted tasks: always, only while a worker sleeps, or never (off; workers poll).'
);
