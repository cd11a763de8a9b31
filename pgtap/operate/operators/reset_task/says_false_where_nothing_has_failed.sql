begin;
select plan(10);

select tasker_test.freeze();
create temporary table cases as
  select u.state, tasker_test.make_task_in(u.state) as task
    from unnest('{pending, initializing, enqueuing_steps, steps_in_process, waiting_for_dependencies, waiting_for_retry}'::text[]) as u (state);

select tasker_test.remember_rows();
select is(tasker.reset_task(c.task), false, format('a task that is %s', c.state)) from cases as c order by c.state;
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select tasker_test.make_task_in('error');
select ok(tasker.reset_task(tasker_test.the_task()), 'a task with a failed step is reset');
select tasker_test.remember_rows();
select is(tasker.reset_task(tasker_test.the_task()), false, 'a repeat returns false');
select is_empty('select tasker_test.changed_tables()', 'the repeat changes no table');

select * from finish();
rollback;
