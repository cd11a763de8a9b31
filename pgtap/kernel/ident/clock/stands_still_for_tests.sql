begin;
select plan(3);

select tasker_test.freeze('2040-02-29 12:00:00+00');
select is(tasker.clock(), '2040-02-29 12:00:00+00'::timestamptz, 'it returns the time that a test has set');

select tasker_test.pass('36 hours');
select is(tasker.clock(), '2040-03-02 00:00:00+00'::timestamptz, 'it returns the time that a test has advanced');

select is(
  tasker_test.call_as('tasker_worker', 'select tasker.clock()')::timestamptz, '2040-03-02 00:00:00+00'::timestamptz,
  'it returns the time of the test to every role'
);

select * from finish();
rollback;
