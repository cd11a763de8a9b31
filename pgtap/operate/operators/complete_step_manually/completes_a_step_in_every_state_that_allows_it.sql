begin;
select plan(9);

select tasker_test.freeze();
select tasker_test.make_task_with_steps_in_every_state();

select ok(tasker.complete_step_manually(tasker_test.the_step(u.state), '{"by": "hand"}'), u.state)
  from unnest('{pending, enqueued, in_progress, waiting_for_retry, suspended, error}'::text[]) as u (state);
select is(
  (
    select count(*)
      from tasker.workflow_steps as s
     where s.task_uuid = tasker_test.the_task()
       and s.state = 'complete'
       and s.results = '{"by": "hand"}'
  ),
  6::bigint, 'all steps are complete'
);
select is(
  (
    select count(*)
      from tasker.workflow_steps as s
     where s.task_uuid = tasker_test.the_task()
       and s.name in ('after_pending', 'after_enqueued', 'after_in_progress', 'after_waiting_for_retry', 'after_suspended', 'after_error')
       and s.state = 'enqueued'
  ),
  6::bigint, 'their children are enqueued'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
