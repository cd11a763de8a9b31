begin;
select plan(3);

select tasker_test.freeze('2040-02-29 12:00:00+00');
select is(tasker.clock(), '2040-02-29 12:00:00+00'::timestamptz, 'it says what it was told');

select tasker_test.pass('36 hours');
select is(tasker.clock(), '2040-03-02 00:00:00+00'::timestamptz, 'and moves on when it is moved');

select is(
  tasker_test.call_as('tasker_worker', 'select tasker.clock()')::timestamptz, '2040-03-02 00:00:00+00'::timestamptz,
  'for every role'
);

select * from finish();
rollback;
