create table tasker.step_exchanges (
  step_uuid              uuid     not null,
  claim_no               integer  not null,
  answer                 text,
  next_retry_at          timestamptz,
  task_uuid              uuid,
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
  kept                   jsonb,

  constraint step_exchanges_row_type_check
    check (false) no inherit
);

comment on table tasker.step_exchanges is
  'Row type: the reply to an exchange: first a row of tasker.step_answers for each result, then one of tasker.claimed_steps for each step that was claimed.';
comment on column tasker.step_exchanges.answer is
  'Null in the rows of claimed steps.';

revoke all on table tasker.step_exchanges from public;
