begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.make_task_with_steps_in_every_state();

select tasker_test.remember_rows();
select throws_ok(
  format('select tasker.resolve_step_manually(%L)', tasker_test.the_step(u.state)),
  'TK409',
  format('step %s is %s, its task enqueuing_steps: event ResolveManually does not apply', tasker_test.the_step(u.state), u.state),
  u.state
)
  from unnest('{complete, cancelled}'::text[]) as u (state);
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
