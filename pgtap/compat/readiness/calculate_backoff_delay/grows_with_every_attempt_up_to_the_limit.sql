begin;
select plan(8);

select is(tasker.calculate_backoff_delay(0), 0::numeric, 'there is no wait before the first attempt');
select is(tasker.calculate_backoff_delay(1), 2::numeric, 'the wait after the first attempt is twice the base');
select is(tasker.calculate_backoff_delay(2), 4::numeric, 'the wait doubles with the second attempt');
select is(tasker.calculate_backoff_delay(5), 32::numeric, 'the wait doubles with each further attempt');
select is(tasker.calculate_backoff_delay(6), 60::numeric, 'the wait is at most the limit');
select is(tasker.calculate_backoff_delay(7), 60::numeric, 'the wait stays at the limit');
select is(tasker.calculate_backoff_delay(3, 10, 1, 60), 10::numeric, 'a multiplier of 1 does not grow');
select is(tasker.calculate_backoff_delay(3, 0.5, 1.5, 60), 1.6875, 'fractions are kept');

select * from finish();
rollback;
