begin;
select plan(4);

-- Numbers of steps that versions no longer have are gaps.
select tasker_test.freeze();
select tasker_test.create_undoable('gaps', '{A!,B!,C}');
select is(tasker.undo_numbers(tasker_test.the_task(), 3, 2, null), '{4,5}', 'compensations get the numbers after the last step');
select is(tasker.undo_numbers(tasker_test.the_task(), 65533, 2, null), '{65534,65535}', 'the last number can be used');
select is(tasker.undo_numbers(tasker_test.the_task(), 65534, 2, null), '{4,5}', 'gaps are used when no numbers are left at the end');
select is(tasker.undo_numbers(tasker_test.the_task(), 65534, 2, 5), '{6,7}', 'gaps after the given number are used next');

select * from finish();
rollback;
