create table tasker.step_audits (
  task_uuid          uuid               not null,
  step_uuid          uuid               not null,
  step_no            integer            not null,
  sort_key           integer            not null,
  transition_uuid    uuid               not null,
  recorded_at        timestamptz        not null,
  namespace          text               not null,
  task_name          text               not null,
  step_name          text               not null,
  handler            text               not null,
  event              text               not null,
  from_state         tasker.step_state  not null,
  to_state           tasker.step_state  not null,
  success            boolean            not null,
  execution_time_ms  bigint,
  claim_no           integer            not null,
  worker_uuid        uuid,
  worker_name        text,
  correlation_id     uuid,
  actor              text,
  login              text,
  role               text,
  reason             text,
  error              text,
  results            jsonb,

  constraint step_audits_row_type_check
    check (false) no inherit
);

comment on table tasker.step_audits is
  'Row type: a recorded result with the transition that recorded it, who did it and why.';
comment on column tasker.step_audits.login is
  'The login role, with the role set in "role" if that differs; callers choose actor and worker themselves.';
comment on column tasker.step_audits.results is
  'The step''s current results, if this row is the success that it ended with.';

revoke all on table tasker.step_audits from public;
