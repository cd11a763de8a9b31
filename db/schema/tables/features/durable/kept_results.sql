create table tasker.kept_results (
  task_uuid   uuid          not null,
  step_no     integer       not null,
  kept_no     tasker.place  not null,
  name        text          not null,
  occurrence  tasker.place  not null,
  value       jsonb         not null,
  error       text,
  bytes       bigint        not null,
  claim_no    integer       not null,
  kept_at     timestamptz   not null,

  constraint kept_results_pkey
    primary key (task_uuid, step_no, kept_no)
) partition by range (task_uuid);

comment on table tasker.kept_results is
  'The results of calls that durable functions have kept, in the order of the calls. A row is written once, under the step''s lock and claim. tasker.continue_step deletes the rows of the step. A retry or a reset deletes the last result if it is an error.';
comment on column tasker.kept_results.kept_no is
  'The position of the call in the function, from 1 without a gap.';
comment on column tasker.kept_results.occurrence is
  'The number of the call among the calls with the same name, from 1.';
comment on column tasker.kept_results.error is
  'The permanent error that the call returned. If it is not null, the column value is the JSON null and has no meaning.';
comment on column tasker.kept_results.bytes is
  'The total size of the results that the function has kept, up to and including this one. It is stored so that the check of the limit need not compute a sum.';
