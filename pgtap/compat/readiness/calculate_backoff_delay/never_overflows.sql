begin;
select plan(7);

select is(tasker.calculate_backoff_delay(2147483647), 60::numeric, 'the largest number of attempts does not overflow');
select is(
  tasker.calculate_backoff_delay(2147483647, 0.001, 100, 31536000), 31536000::numeric,
  'the largest multiplier and limit do not overflow'
);
select is(tasker.calculate_backoff_delay(2147483647, 5, 1, 60), 5::numeric, 'a multiplier of 1 does not overflow');
select is(tasker.calculate_backoff_delay(1, 1e6, 1e6, 2147483647), 2147483647::numeric, 'the largest limit does not overflow');
select is(tasker.calculate_backoff_delay(1, 1e1000, 2, 60), 60::numeric, 'a base of a thousand digits does not overflow');
select is(tasker.calculate_backoff_delay(1, 1, 1e1000, 60), 60::numeric, 'a multiplier of a thousand digits does not overflow');
select is(tasker.calculate_backoff_delay(5, 1, 2, 0), 0::numeric, 'a limit of 0 is no wait');

select * from finish();
rollback;
