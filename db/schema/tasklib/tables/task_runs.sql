create table tasklib.task_runs (
  task_id      uuid              not null,
  claim_no     integer           not null,
  name         text collate "C"  not null,
  worker_id    text              not null,
  worker_role  text,
  started_at   timestamptz       not null,
  ended_at     timestamptz       not null,
  outcome      text              not null,
  error        text,

  constraint task_runs_pkey
    primary key (task_id, claim_no),
  constraint task_runs_outcome_check
    check (outcome in ('completed', 'retrying', 'failed', 'lost', 'cancelled', 'released', 'snoozed'))
);

comment on table tasklib.task_runs is
  'The runs that have ended: the worker, the start and the end of each run, and its outcome. The table is append-only. Purging a task deletes its runs.';
comment on column tasklib.task_runs.worker_role is
  'The role that reported the end. Null if the worker was lost.';
