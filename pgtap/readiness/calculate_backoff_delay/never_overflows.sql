begin;
select plan(7);

select is(tasker.calculate_backoff_delay(2147483647), 60::numeric, 'the greatest number of attempts');
select is(
  tasker.calculate_backoff_delay(2147483647, 0.001, 100, 31536000), 31536000::numeric,
  'with the greatest multiplier and limit'
);
select is(tasker.calculate_backoff_delay(2147483647, 5, 1, 60), 5::numeric, 'with a multiplier of 1');
select is(tasker.calculate_backoff_delay(1, 1e6, 1e6, 2147483647), 2147483647::numeric, 'the greatest limit');
select is(tasker.calculate_backoff_delay(1, 1e1000, 2, 60), 60::numeric, 'a base of a thousand digits');
select is(tasker.calculate_backoff_delay(1, 1, 1e1000, 60), 60::numeric, 'a multiplier of a thousand digits');
select is(tasker.calculate_backoff_delay(5, 1, 2, 0), 0::numeric, 'a limit of 0 is no wait');

select * from finish();
rollback;
