begin;
select plan(4);

select tasker_test.take_turn();
select tasker.set_setting('backoff_base', '3');
select tasker.set_setting('backoff_multiplier', '10');
select tasker.set_setting('max_backoff_seconds', '1000');

select is(tasker.calculate_backoff_delay(2), 300::numeric, 'nulls take all three settings');
select is(
  tasker.calculate_backoff_delay(2, p_base_delay => 1), 100::numeric,
  'a given base delay takes precedence'
);
select is(tasker.calculate_backoff_delay(2, p_multiplier => 2), 12::numeric, 'a given multiplier takes precedence');
select is(tasker.calculate_backoff_delay(2, p_max_seconds => 50), 50::numeric, 'a given limit takes precedence');

select * from finish();
rollback;
