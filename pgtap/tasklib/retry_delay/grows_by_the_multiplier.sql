begin;
select plan(4);

select results_eq('select tasklib.retry_delay(n) from generate_series(0, 3) as n', array[5, 10, 20, 40]::double precision[], 'the delay starts at 5 seconds and doubles');
select is(tasklib.retry_delay(2, 1, 3), 9::double precision, 'the base and the multiplier can be given');
select is(tasklib.retry_delay(1000000), 86400::double precision, 'the delay never exceeds the setting, however many retries there were');
select is(tasklib.retry_delay(5, 0), 0::double precision, 'a base of 0 gives no delay');

select * from finish();
rollback;
