begin;
select plan(8);

select tasker_test.start_task();

prepare attempt (text, text) as
  select tasker.transition_step_state_atomic(tasker_test.the_step('top'), $1, $2);

select throws_ok(
  $$ execute attempt (null, 'in_progress') $$,
  'TK422', 'the state of a step is null', 'a null from_state is refused'
);
select throws_ok($$ execute attempt ('enqueued', null) $$, 'TK422', 'the state of a step is null', 'a null to_state is refused');
select throws_ok(
  $$ execute attempt ('enqueued', 'running') $$,
  'TK422', '"running" is not a state of a step', 'an unknown state is refused'
);
select throws_ok(
  $$ execute attempt ('Enqueued', 'in_progress') $$,
  'TK422', '"Enqueued" is not a state of a step', 'a state in capitals is refused'
);
select throws_ok(
  $$ execute attempt ('enqueued ', 'in_progress') $$,
  'TK422', '"enqueued " is not a state of a step', 'a state with a blank is refused'
);
select throws_ok($$ execute attempt ('', 'in_progress') $$, 'TK422', '"" is not a state of a step', 'an empty state is refused');
select throws_ok(
  $$ execute attempt ('enqueued', 'in_progress''; drop schema tasker cascade; --') $$,
  'TK422', '"in_progress''; drop schema tasker cascade; --" is not a state of a step',
  'a hostile state is refused'
);
select throws_ok(
  $$ execute attempt ('enqueued', repeat('x', 100000)) $$,
  'TK422', format('"%s" is not a state of a step', repeat('x', 100)),
  'a long state is refused'
);

select * from finish();
rollback;
