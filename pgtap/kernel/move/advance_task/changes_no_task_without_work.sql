begin;
select plan(8);

select tasker_test.freeze();
create temporary table cases as
  select u.state, tasker_test.make_task_in(u.state) as task
    from unnest('{complete, error, cancelled, resolved_manually}'::text[]) as u (state);

select tasker_test.remember_rows();
select is(tasker.advance_task(c.task)::text, c.state, format('a task that is %s stays so', c.state)) from cases as c order by c.state;
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select tasker_test.create_task(p_start_at => tasker.clock() + interval '1 hour');
select is(tasker.advance_task(tasker_test.the_task())::text, 'pending', 'a task that starts later stays pending');
select tasker_test.create_task();
select tasker_test.claim('top');
select tasker_test.fail_for_good('top');
select is(tasker.advance_task(tasker_test.the_task())::text, 'blocked_by_failures', 'a blocked task stays blocked');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
