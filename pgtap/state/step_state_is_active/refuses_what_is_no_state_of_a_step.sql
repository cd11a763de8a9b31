begin;
select plan(5);

select throws_ok(
  $$ select tasker.step_state_is_active(null) $$,
  'TK422', 'the state of a step is null',
  'null'
);
select throws_ok(
  $$ select tasker.step_state_is_active('') $$,
  'TK422', '"" is not a state of a step',
  'an empty text'
);
select throws_ok(
  $$ select tasker.step_state_is_active('Complete') $$,
  'TK422', '"Complete" is not a state of a step',
  'another spelling'
);
select throws_ok(
  $$ select tasker.step_state_is_active('initializing') $$,
  'TK422', '"initializing" is not a state of a step',
  'a state of a task'
);
select throws_ok(
  $$ select tasker.step_state_is_active(repeat('complete''; --', 10000)) $$,
  'TK422', format('"%s" is not a state of a step', left(repeat('complete''; --', 10000), 100)),
  'a long and hostile text, of which the message shows the beginning'
);

select * from finish();
rollback;
