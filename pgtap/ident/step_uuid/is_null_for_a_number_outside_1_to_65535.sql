begin;
select plan(7);

select is(tasker.step_uuid('01a1fdfe-814d-7276-80af-60b4800d0000', 0), null, '0 is the task itself');
select is(tasker.step_uuid('01a1fdfe-814d-7276-80af-60b4800d0000', -1), null, 'a negative number is no step');
select is(tasker.step_uuid('01a1fdfe-814d-7276-80af-60b4800d0000', 65536), null, '65536 needs a seventeenth bit');
select is(tasker.step_uuid('01a1fdfe-814d-7276-80af-60b4800d0000', 2147483647), null, 'so does the largest integer');
select is(tasker.step_uuid('01a1fdfe-814d-7276-80af-60b4800d0000', -2147483648), null, 'the smallest is negative');
select is(tasker.step_uuid('01a1fdfe-814d-7276-80af-60b4800d0000', null), null, 'no number, no step');
select is(tasker.step_uuid(null, 1), null, 'no task, no step');

select * from finish();
rollback;
