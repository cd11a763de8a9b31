create or replace view tasker.kept_answers as
select
  'kept'::tasker.call_answer as answer,
  null::integer as position,
  null::text as name,
  null::integer as occurrence,
  null::jsonb as value,
  null::text as error,
  null::integer as round
where false;

comment on view tasker.kept_answers is
  'Row type: the answer to a call of a durable function, and the result that is kept at the call''s position.';
comment on column tasker.kept_answers.answer is
  'kept: the call kept the result; known: an earlier call kept it; diverged: the result at this position has another name; suspended: the step waits; ended: the wait ended at once; continued: the function begins a new round; stale: the claim is no longer the current one; cancelled: the step was cancelled.';
comment on column tasker.kept_answers.round is
  'The number of times that the function has continued with a new state.';
