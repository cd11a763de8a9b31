begin;
select plan(2);

select tasker_test.take_turn();
select tasklib.set_setting('retry_jitter', '0.2');
select is_empty('select from generate_series(1, 200) where (tasklib.retry_delay(0) between 4 and 5) is not true', 'jitter of 0.2 gives 80 to 100 percent of the delay');
select ok((select count(distinct tasklib.retry_delay(0)) > 1 from generate_series(1, 20)), 'the delay varies');

select * from finish();
rollback;
