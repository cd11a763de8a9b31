begin;
select plan(4);

select tasker_test.freeze();
create temporary table cases as
  select u.state, tasker_test.make_task_in(u.state) as task
    from unnest('{complete, cancelled, resolved_manually}'::text[]) as u (state);

select tasker_test.remember_rows();
select throws_ok(
  format('select tasker.reset_task(%L)', c.task),
  'TK409', format('task %s is %s and cannot be reset', c.task, c.state),
  format('one that is %s', c.state)
)
  from cases as c
 order by c.state;
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
