begin;
select plan(5);

select is(tasker.step_no_of('01a1fdfe-814d-7276-80af-60b4800d0001'), 1, 'the UUID of step 1 has the number 1');
select is(tasker.step_no_of('01a1fdfe-814d-7276-80af-60b4800d0100'), 256, 'the UUID of step 256 has the number 256');
select is(tasker.step_no_of('01a1fdfe-814d-7276-80af-60b4800dffff'), 65535, 'the largest number is 65535, not negative');
select is(tasker.step_no_of('01a1fdfe-814d-7276-80af-60b4800d0000'), 0, 'the UUID of a task has the number 0');
select is(tasker.step_no_of(null), null, 'it returns null for null');

select * from finish();
rollback;
