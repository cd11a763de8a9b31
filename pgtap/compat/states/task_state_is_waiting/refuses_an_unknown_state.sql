begin;
select plan(5);

select throws_ok(
  $$ select tasker.task_state_is_waiting(null) $$,
  'TK422', 'the state of a task is null',
  'a null state is refused'
);
select throws_ok(
  $$ select tasker.task_state_is_waiting('') $$,
  'TK422', '"" is not a state of a task',
  'an empty text is refused'
);
select throws_ok(
  $$ select tasker.task_state_is_waiting('Complete') $$,
  'TK422', '"Complete" is not a state of a task',
  'another spelling is refused'
);
select throws_ok(
  $$ select tasker.task_state_is_waiting('in_progress') $$,
  'TK422', '"in_progress" is not a state of a task',
  'a state of a step is refused'
);
select throws_ok(
  $$ select tasker.task_state_is_waiting(repeat('complete''; --', 10000)) $$,
  'TK422', format('"%s" is not a state of a task', left(repeat('complete''; --', 10000), 100)),
  'a long and hostile text is refused, and the message shows its beginning'
);

select * from finish();
rollback;
