begin;
select plan(11);

select tasker_test.freeze();
create temporary table cases as
  select s.state::text as state, tasker_test.make_task_in(s.state::text) as task
    from tasker.task_states as s
   where s.state not in ('blocked_by_failures', 'resolved_manually');

select tasker_test.remember_rows();
select throws_ok(
  format('select tasker.resolve_task_manually(%L)', c.task),
  'TK409', format('task %s is %s: event ManualResolution does not apply', c.task, c.state),
  format('one that is %s', c.state)
)
  from cases as c
 order by c.state;
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
