begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.make_task();
select tasker_test.move_task(tasker_test.the_task(), 'initializing', 'enqueuing_steps');
select tasker_test.complete_step(tasker_test.the_step(u.name)) from unnest('{top, left, right, bottom}'::text[]) as u (name);

select ok(tasker.finalize_task_completion(tasker_test.the_task()), 'the first caller completes the task');
select is((select t.state::text from tasker.get_task(tasker_test.the_task()) as t), 'complete', 'the task is complete');
select tasker_test.remember_rows();
select is(tasker.finalize_task_completion(tasker_test.the_task()), false, 'the second caller gets false instead of an error');
select is_empty('select tasker_test.changed_tables()', 'the second call changes no table');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
