begin;
select plan(4);

-- Numbers of steps that versions no longer have are gaps.
select tasker_test.freeze();
select tasker_test.create_undoable('gaps', '{A!,B!,C}');
select is(tasker.undo_numbers(tasker_test.the_task(), 3, 2, null), '{4,5}', 'compensations come after the last step');
select is(tasker.undo_numbers(tasker_test.the_task(), 65533, 2, null), '{65534,65535}', 'to the last number');
select is(tasker.undo_numbers(tasker_test.the_task(), 65534, 2, null), '{4,5}', 'then in gaps');
select is(tasker.undo_numbers(tasker_test.the_task(), 65534, 2, 5), '{6,7}', 'after those that are filled');

select * from finish();
rollback;
