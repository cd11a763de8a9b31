begin;
select plan(5);

select is(tasker.step_no_of('01a1fdfe-814d-7276-80af-60b4800d0001'), 1, 'step 1');
select is(tasker.step_no_of('01a1fdfe-814d-7276-80af-60b4800d0100'), 256, 'step 256');
select is(tasker.step_no_of('01a1fdfe-814d-7276-80af-60b4800dffff'), 65535, 'step 65535, not a negative number');
select is(tasker.step_no_of('01a1fdfe-814d-7276-80af-60b4800d0000'), 0, '0 for a task');
select is(tasker.step_no_of(null), null, 'no step, no number');

select * from finish();
rollback;
