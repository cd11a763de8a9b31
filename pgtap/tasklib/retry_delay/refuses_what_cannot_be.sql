begin;
select plan(4);

select throws_ok('select tasklib.retry_delay(-1)', 'TK422', 'a delay cannot be computed from these arguments', 'retries below 0');
select throws_ok('select tasklib.retry_delay(null)', 'TK422', 'a delay cannot be computed from these arguments', 'null');
select throws_ok('select tasklib.retry_delay(1, -1)', 'TK422', 'a delay cannot be computed from these arguments', 'a negative base');
select throws_ok('select tasklib.retry_delay(1, 1, 0.5)', 'TK422', 'a delay cannot be computed from these arguments', 'a multiplier below 1');

select * from finish();
rollback;
