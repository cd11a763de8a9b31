begin;
select plan(4);

select throws_ok($$ select tasker.get_throughput(null, '30 seconds') $$, 'TK422', 'throughput cannot be divided into periods of 00:00:30', 'a period shorter than a minute is refused');
select throws_ok($$ select tasker.get_throughput(null, '1 month') $$, 'TK422', 'throughput cannot be divided into periods of 1 mon', 'a month is refused');
select throws_ok($$ select tasker.get_throughput(null, '-1 hour') $$, 'TK422', 'throughput cannot be divided into periods of -01:00:00', 'a negative period is refused');
select throws_like($$ select tasker.get_throughput(tasker.clock() - interval '1 year', '1 minute') $$, 'there are more than 10,000 periods of 00:01:00 since %', 'more than 10,000 periods are refused');

select * from finish();
rollback;
