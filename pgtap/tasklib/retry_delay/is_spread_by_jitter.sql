begin;
select plan(2);

select tasker_test.take_turn();
select tasklib.set_setting('retry_jitter', '0.2');
select is_empty('select from generate_series(1, 200) where not tasklib.retry_delay(0) between 4 and 5', 'between 80 and 100 percent');
select ok((select count(distinct tasklib.retry_delay(0)) > 1 from generate_series(1, 20)), 'not always the same');

select * from finish();
rollback;
