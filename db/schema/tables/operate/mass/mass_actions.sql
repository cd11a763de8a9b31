create table tasker.mass_actions (
  selection_uuid  uuid         not null,
  namespaces      text[]       not null,
  action          text         not null,
  arguments       jsonb        not null,
  entries         integer      not null,
  reason          text         not null,
  canary          boolean      not null,
  canary_seconds  integer      not null,
  per_minute      integer,
  stop_share      numeric      not null,
  started_at      timestamptz  not null  default tasker.clock(),
  started_by      text         not null,
  started_login   text         not null,
  state           text         not null  default 'running',
  stopped_by      text,
  stopped_why     text,
  ended_at        timestamptz,
  stage           smallint     not null,
  stage_at        timestamptz  not null  default tasker.clock(),
  since           timestamptz  not null  default tasker.clock(),
  paced           integer      not null  default 0,
  acted_at        timestamptz,
  ran_at          timestamptz,
  judged_to       integer      not null  default 0,
  waits           integer      not null,
  open            integer      not null  default 0,
  passed          integer      not null  default 0,
  failed          integer      not null  default 0,
  skipped         integer      not null  default 0,

  constraint mass_actions_pkey
    primary key (selection_uuid),
  constraint mass_actions_selection_uuid_fkey
    foreign key (selection_uuid) references tasker.selections (selection_uuid) on delete cascade,
  constraint mass_actions_action_check
    check (action in ('reset', 'cancel', 'fork', 'resolve', 'retry', 'complete', 'requeue')),
  constraint mass_actions_state_check
    check (state in ('running', 'stopped', 'done')),
  constraint mass_actions_stage_check
    check (stage between 1 and 3),
  constraint mass_actions_stopped_check
    check ((state = 'stopped') = (stopped_by is not null)),
  constraint mass_actions_ended_check
    check ((state = 'done') = (ended_at is not null)),
  constraint mass_actions_counts_check
    check (waits + open + passed + failed + skipped = entries)
);

create index mass_actions_due_idx
  on tasker.mass_actions (ran_at nulls first)
  where state = 'running' or state = 'done' and open > 0;

create index mass_actions_stopped_idx
  on tasker.mass_actions (selection_uuid)
  where state = 'stopped';

comment on index tasker.mass_actions_stopped_idx is
  'Serves incidents: the mass actions that stopped before their end.';
comment on index tasker.mass_actions_due_idx is
  'Serves the maintenance duty mass_actions: the mass actions that have entries to act on, or outcomes to check.';

comment on table tasker.mass_actions is
  'Actions on selections, at most one action on each selection. The maintenance duty mass_actions acts on the entries in bounded batches.';
comment on column tasker.mass_actions.arguments is
  'The arguments of the action: version, from_step and cancel of a fork, results of a completion.';
comment on column tasker.mass_actions.stage is
  'The stage of the action. Stage 1 acts on one entry, stage 2 on ten more, and stage 3 on the rest. A stage begins when the outcomes of the stage before are known.';
comment on column tasker.mass_actions.since is
  'The time when the action was started or last resumed. The canary and the stop rule count the entries that were acted on since then.';
comment on column tasker.mass_actions.paced is
  'The number of entries that the action has acted on since the third stage began. This number is compared with the rate.';
comment on column tasker.mass_actions.stop_share is
  'The largest allowed share of failures among the known outcomes. The action stops when the share is larger.';
comment on column tasker.mass_actions.stopped_by is
  'The operator who stopped the action, or "stop rule" or "canary".';
comment on column tasker.mass_actions.judged_to is
  'The last entry whose outcome was checked. The next check begins after this entry.';
