begin;
select plan(7);

select tasker_test.make_task();

prepare attempt (text, text) as
  select tasker.transition_task_state_atomic(tasker_test.the_task(), $1, $2);

select throws_ok(
  $$ execute attempt (null, 'initializing') $$,
  'TK422', 'the state of a task is null', 'a null from_state is refused'
);
select throws_ok($$ execute attempt ('pending', null) $$, 'TK422', 'the state of a task is null', 'a null to_state is refused');
select throws_ok(
  $$ execute attempt ('pending', 'in_progress') $$,
  'TK422', '"in_progress" is not a state of a task', 'a state of a step is refused'
);
select throws_ok(
  $$ execute attempt ('Pending', 'initializing') $$,
  'TK422', '"Pending" is not a state of a task', 'a state in capitals is refused'
);
select throws_ok($$ execute attempt ('', 'initializing') $$, 'TK422', '"" is not a state of a task', 'an empty state is refused');
select throws_ok(
  $$ execute attempt ('pending', 'initializing''; drop schema tasker cascade; --') $$,
  'TK422', '"initializing''; drop schema tasker cascade; --" is not a state of a task',
  'a hostile state is refused'
);
select throws_ok(
  $$ execute attempt ('pending', repeat('x', 100000)) $$,
  'TK422', format('"%s" is not a state of a task', repeat('x', 100)),
  'a long state is refused'
);

select * from finish();
rollback;
