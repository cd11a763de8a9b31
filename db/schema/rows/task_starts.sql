create table tasker.task_starts (
  task_uuid              uuid     not null,
  created                boolean  not null,
  step_uuid              uuid,
  claim_no               integer,
  step_no                integer,
  namespace              text,
  task_name              text,
  task_version           text,
  name                   text,
  handler                text,
  attempt                integer,
  max_attempts           integer,
  lost_count             integer,
  priority               integer,
  lease_until            timestamptz,
  timeout_seconds        integer,
  correlation_id         uuid,
  parent_correlation_id  uuid,
  headers                jsonb,
  inputs                 jsonb,
  checkpoint             jsonb,
  last_error             text,
  context                jsonb,
  parent_results         jsonb,

  constraint task_starts_row_type_check
    check (false) no inherit
);

comment on table tasker.task_starts is
  'Row type: a task that was created and started by its worker: a row for each step that was claimed, as in tasker.claimed_steps; one with nulls if none was.';
comment on column tasker.task_starts.created is
  'False if an earlier request created the task: then no step of it is claimed.';

revoke all on table tasker.task_starts from public;
