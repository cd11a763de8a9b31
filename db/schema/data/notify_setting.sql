-- down: delete from tasker.settings where name = 'notify';
insert into tasker.settings (name, kind, value, default_value, choices, description)
values (
  'notify', 'choice', 'asleep', 'asleep', '{always,asleep,off}',
  'When NOTIFY announces ready steps and tasks'' changes of state: always, only while a client sleeps, or never (off; clients poll). A namespace may have its own.'
);
