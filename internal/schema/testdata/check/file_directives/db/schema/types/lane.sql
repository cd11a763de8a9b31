--down: drop type tasker.lane;
create type tasker.lane as enum ('high', 'low');

comment on type tasker.lane is
  'How urgent a job is; its ''order'' is that of the labels.';
