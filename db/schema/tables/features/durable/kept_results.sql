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
  'The results of calls that durable functions have kept, in the order of the calls. Written once, under the step''s lock and claim. Forgotten by continue_step. A retry or a reset deletes the last result if it is an error.';
comment on column tasker.kept_results.kept_no is
  'The position of the call in the function, from 1 without a gap.';
comment on column tasker.kept_results.occurrence is
  'The number of the call among the calls of this name, from 1.';
comment on column tasker.kept_results.error is
  'The error that the call returned for good. Then value is the JSON null, and has no meaning.';
comment on column tasker.kept_results.bytes is
  'The size of all results that the function has kept up to this result, so that the limit costs no sum.';
