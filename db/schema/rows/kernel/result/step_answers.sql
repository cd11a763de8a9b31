create or replace view tasker.step_answers as
select
  '00000000-0000-0000-0000-000000000000'::uuid as step_uuid,
  0::integer as claim_no,
  'completed'::tasker.result_answer as answer,
  null::timestamptz as next_retry_at
where false;

comment on view tasker.step_answers is
  'Row type: the answer to one step''s result.';
comment on column tasker.step_answers.answer is
  'completed; retrying; failed; recorded (an orchestrator will process the result); already_complete; stale (the claim is no longer the current one); cancelled; too_large; not_found; busy (another transaction holds the task, so that the worker should send the result again).';
