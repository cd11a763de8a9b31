begin;
select plan(4);

select throws_ok('select tasklib.retry_delay(-1)', 'TK422', 'a delay cannot be computed from these arguments', 'a number of retries below 0 is refused');
select throws_ok('select tasklib.retry_delay(null)', 'TK422', 'a delay cannot be computed from these arguments', 'a null number of retries is refused');
select throws_ok('select tasklib.retry_delay(1, -1)', 'TK422', 'a delay cannot be computed from these arguments', 'a negative base is refused');
select throws_ok('select tasklib.retry_delay(1, 1, 0.5)', 'TK422', 'a delay cannot be computed from these arguments', 'a multiplier below 1 is refused');

select * from finish();
rollback;
