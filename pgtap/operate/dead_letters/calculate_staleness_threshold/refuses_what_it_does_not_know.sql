begin;
select plan(4);

select throws_ok($$ select tasker.calculate_staleness_threshold('skipped') $$, 'TK422', '"skipped" is not a state of a task', 'an unknown state is refused');
select throws_ok($$ select tasker.calculate_staleness_threshold(null) $$, 'TK422', 'the state of a task is null', 'a null state is refused');
select throws_ok(
  $$ select tasker.calculate_staleness_threshold('pending', '[]') $$, 'TK422', 'the lifecycle is invalid', 'a lifecycle that is an array is refused'
);
select throws_ok(
  $$ select tasker.calculate_staleness_threshold('pending', '{"max_waiting_for_retry_minutes": "x"}') $$,
  'TK422', 'the lifecycle is invalid', 'minutes that are not a number are refused'
);

select * from finish();
rollback;
