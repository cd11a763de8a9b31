begin;
select plan(5);

select throws_ok(
  $$ select tasker.step_state_is_error(null) $$,
  'TK422', 'the state of a step is null',
  'a null state is refused'
);
select throws_ok(
  $$ select tasker.step_state_is_error('') $$,
  'TK422', '"" is not a state of a step',
  'an empty text is refused'
);
select throws_ok(
  $$ select tasker.step_state_is_error('Complete') $$,
  'TK422', '"Complete" is not a state of a step',
  'another spelling is refused'
);
select throws_ok(
  $$ select tasker.step_state_is_error('initializing') $$,
  'TK422', '"initializing" is not a state of a step',
  'a state of a task is refused'
);
select throws_ok(
  $$ select tasker.step_state_is_error(repeat('complete''; --', 10000)) $$,
  'TK422', format('"%s" is not a state of a step', left(repeat('complete''; --', 10000), 100)),
  'a long and hostile text is refused, and the message shows its beginning'
);

select * from finish();
rollback;
