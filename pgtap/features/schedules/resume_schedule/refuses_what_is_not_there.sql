begin;
select plan(2);

select throws_ok($$ select tasker.resume_schedule('test', 'nothing') $$, 'TK404', 'schedule "test/nothing" does not exist', 'an unknown schedule is refused');
select throws_ok($$ select tasker.resume_schedule(null, null) $$, 'TK404', 'the namespace of the schedule is null', 'null names are refused');

select * from finish();
rollback;
