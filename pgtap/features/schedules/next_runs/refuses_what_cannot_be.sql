begin;
select plan(3);

select tasker_test.freeze_with_partitions('2026-03-01 12:00+00');
select tasker_test.hourly();
select throws_ok($$ select tasker.next_runs('test', 'nothing') $$, 'TK404', 'schedule "test/nothing" does not exist', 'an unknown schedule is refused');
select throws_ok($$ select tasker.next_runs('test', 'hourly', 0) $$, 'TK422', 'a limit of 0 is out of range', 'a count of zero is refused');
select throws_ok($$ select tasker.next_runs('test', 'hourly', 1001) $$, 'TK422', 'a limit of 1001 is out of range', 'a count that is too large is refused');

select * from finish();
rollback;
