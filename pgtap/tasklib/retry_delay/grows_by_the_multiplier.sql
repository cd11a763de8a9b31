begin;
select plan(4);

select results_eq('select tasklib.retry_delay(n) from generate_series(0, 3) as n', array[5, 10, 20, 40]::double precision[], 'from 5 seconds on');
select is(tasklib.retry_delay(2, 1, 3), 9::double precision, 'or as asked');
select is(tasklib.retry_delay(1000000), 86400::double precision, 'never beyond the setting, nor beyond any number');
select is(tasklib.retry_delay(5, 0), 0::double precision, 'no delay stays none');

select * from finish();
rollback;
