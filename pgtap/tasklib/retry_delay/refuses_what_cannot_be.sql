begin;
select plan(4);

select throws_ok('select tasklib.retry_delay(-1)', 'TK422', 'there is no delay for such a retry', 'retries below 0');
select throws_ok('select tasklib.retry_delay(null)', 'TK422', 'there is no delay for such a retry', 'null');
select throws_ok('select tasklib.retry_delay(1, -1)', 'TK422', 'there is no delay for such a retry', 'a negative base');
select throws_ok('select tasklib.retry_delay(1, 1, 0.5)', 'TK422', 'there is no delay for such a retry', 'a multiplier below 1');

select * from finish();
rollback;
