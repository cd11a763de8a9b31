begin;
select plan(5);

select throws_ok(
  $$ select tasker.calculate_step_next_retry_time(-1, now(), now(), 1) $$, 'TK422', 'a backoff of -1 seconds is out of range', 'a negative backoff is refused'
);
select throws_ok(
  $$ select tasker.calculate_step_next_retry_time(null, now(), now(), -1) $$, 'TK422', 'a backoff cannot be computed from these arguments', 'negative attempts are refused'
);
select throws_ok($$ select tasker.calculate_step_next_retry_time(null, now(), now(), 1, -1) $$, 'TK422', 'a backoff cannot be computed from these arguments', 'a negative cap is refused');
select throws_ok($$ select tasker.calculate_step_next_retry_time(null, now(), now(), 1, 60, 0.5) $$, 'TK422', 'a backoff cannot be computed from these arguments', 'a multiplier below one is refused');
select throws_ok($$ select tasker.calculate_step_next_retry_time(null, now(), now(), 1, 60, 'NaN') $$, 'TK422', 'a backoff cannot be computed from these arguments', 'a multiplier that is not a number is refused');

select * from finish();
rollback;
