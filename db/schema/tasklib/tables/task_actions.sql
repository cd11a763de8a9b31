create table tasklib.task_actions (
  action_no  bigint              not null  generated always as identity,
  task_id    uuid,
  name       text collate "C",
  action     text                not null,
  actor      text                not null,
  acted_at   timestamptz         not null,
  detail     jsonb               not null  default '{}',

  constraint task_actions_pkey
    primary key (action_no),
  constraint task_actions_action_check
    check (action in ('cancel', 'retry', 'pause', 'resume', 'register', 'restrict', 'purge', 'schedule', 'unschedule', 'erase'))
);

create index task_actions_task_idx on tasklib.task_actions (task_id)
  where task_id is not null;

comment on table tasklib.task_actions is
  'The actions of operators: who cancelled, retried, paused, changed or purged which task or name. The table is append-only.';
comment on index tasklib.task_actions_task_idx is
  'Serves list_task_actions for one task.';
