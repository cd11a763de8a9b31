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
  'kept; known, if it was kept before; diverged, if another name is kept at this position; suspended; ended, if the wait was over at once; continued; stale; cancelled.';
comment on column tasker.kept_answers.round is
  'The number of times that the function has continued with a new state.';
