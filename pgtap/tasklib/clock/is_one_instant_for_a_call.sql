begin;
select plan(3);

select is(tasklib.clock(), statement_timestamp(), 'clock returns the start of the statement');
select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select is(tasklib.clock(), '2026-03-01 12:00+00'::timestamptz, 'tests can set the clock');
select isnt(tasker.clock(), tasklib.clock(), 'the clock of schema tasker is another one');

select * from finish();
rollback;
