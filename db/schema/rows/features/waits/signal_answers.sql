create or replace view tasker.signal_answers as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  false::boolean as created,
  0::integer as signal_no,
  'kept'::tasker.delivery as answer,
  null::uuid as step_uuid
where false;

comment on view tasker.signal_answers is
  'Row type: the outcome of a signal.';
comment on column tasker.signal_answers.created is
  'Whether the call created the task.';
comment on column tasker.signal_answers.answer is
  'delivered: the signal ended the wait of step_uuid; kept: no step waits for the signal yet, and the next step that waits for it takes it; repeated: an earlier signal has the same idempotency key, and nothing was changed; ended: the task has ended and takes no signal, and signal_no is 0.';
