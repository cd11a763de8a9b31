begin;
select plan(5);

select tasker_test.freeze();
create temporary table cases as
  select u.state, tasker_test.make_task_in(u.state) as task
    from unnest('{complete, error, cancelled, resolved_manually}'::text[]) as u (state);

select tasker_test.remember_rows();
select throws_like(
  format('select tasker.resolve_step_manually(%L)', tasker.step_uuid(c.task, 4)),
  format('step %s is %%, its task %s: event ResolveManually does not apply', tasker.step_uuid(c.task, 4), c.state),
  format('of a task that is %s', c.state)
)
  from cases as c
 order by c.state;
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
