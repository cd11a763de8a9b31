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
  'The runs that have ended: the worker, the start, the end and the outcome of each run. The table is append-only, but purging a task deletes the runs of the task.';
comment on column tasklib.task_runs.worker_role is
  'The role that reported the end of the run. Null if the worker was lost or the task was cancelled.';
