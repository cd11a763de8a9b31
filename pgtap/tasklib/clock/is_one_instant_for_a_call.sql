begin;
select plan(3);

select is(tasklib.clock(), statement_timestamp(), 'the start of the statement');
select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select is(tasklib.clock(), '2026-03-01 12:00+00'::timestamptz, 'tests can replace it');
select isnt(tasker.clock(), tasklib.clock(), 'it is not the clock of schema tasker');

select * from finish();
rollback;
