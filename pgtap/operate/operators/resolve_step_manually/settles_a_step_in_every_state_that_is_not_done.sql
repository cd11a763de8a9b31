begin;
select plan(11);

select tasker_test.freeze();
select tasker_test.make_task_with_steps_in_every_state();

select ok(tasker.resolve_step_manually(tasker_test.the_step(u.state)), u.state)
  from unnest(
    '{pending, enqueued, in_progress, enqueued_for_orchestration, enqueued_as_error_for_orchestration, waiting_for_retry, suspended, error}'::text[]
  ) as u (state);
select is_empty(
  $$
  select s.name, s.state
    from tasker.workflow_steps as s
   where s.task_uuid = tasker_test.the_task()
     and s.name in (
       'pending', 'enqueued', 'in_progress', 'enqueued_for_orchestration', 'enqueued_as_error_for_orchestration',
       'waiting_for_retry', 'suspended', 'error'
     )
     and s.state is distinct from 'resolved_manually'
  $$,
  'all of them are resolved'
);
select results_eq(
  $$
  select s.name, s.state::text
    from tasker.workflow_steps as s
   where s.task_uuid = tasker_test.the_task()
     and s.name like 'after%'
     and s.state <> 'enqueued'
  $$,
  $$ values ('after_cancelled', 'cancelled') $$,
  'children of resolved steps run, except of cancelled ones'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
