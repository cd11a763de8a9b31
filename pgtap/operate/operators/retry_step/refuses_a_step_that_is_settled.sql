begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.make_task_with_steps_in_every_state();

select tasker_test.remember_rows();
select throws_ok(
  format('select tasker.retry_step(%L)', tasker_test.the_step(u.state)),
  'TK409',
  format('step %s is %s, its task enqueuing_steps: event Retry does not apply', tasker_test.the_step(u.state), u.state),
  u.state
)
  from unnest(
    '{complete, cancelled, resolved_manually, enqueued_for_orchestration, enqueued_as_error_for_orchestration}'::text[]
  ) as u (state);
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
