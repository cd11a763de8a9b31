create table tasker.workflow_step_result_audit (
  task_uuid          uuid         not null,
  step_no            integer      not null,
  sort_key           integer      not null,
  recorded_at        timestamptz  not null  default tasker.clock(),
  worker_uuid        uuid,
  correlation_id     uuid,
  success            boolean      not null,
  execution_time_ms  bigint,

  constraint workflow_step_result_audit_pkey
    primary key (task_uuid, step_no, sort_key)
) partition by range (task_uuid);

create index workflow_step_result_audit_recorded_idx
  on tasker.workflow_step_result_audit using brin (recorded_at) with (pages_per_range = 32);

comment on index tasker.workflow_step_result_audit_recorded_idx is
  'Serves audit reports over a range of time; BRIN, because rows come in the order of time.';

comment on table tasker.workflow_step_result_audit is
  'Who recorded which result: one row for each, made by a trigger on the step log, referring to its row by the key.';

revoke all on table tasker.workflow_step_result_audit from public;
