begin;
select plan(4);

select tasker_test.make_task_in('blocked_by_failures');

select ok(
  tasker_test.call_as('tasker_operator', $$
    select tasker.transition_task_state_atomic(
      tasker_test.the_task(), 'blocked_by_failures', 'resolved_manually', null, '{"reason": "done by telephone"}'
    )
  $$)::boolean,
  'the resolution returns true'
);
select results_eq(
  $$
  select s.name, s.state::text
    from tasker.workflow_steps as s
   where s.task_uuid = tasker_test.the_task()
   order by s.step_no
  $$,
  $$ values ('top', 'error'), ('left', 'cancelled'), ('right', 'cancelled'), ('bottom', 'cancelled') $$,
  'failed steps keep their state, and open steps are cancelled'
);
select is(
  (
    select array_agg(l.reason)
      from tasker.task_transition_log as l
     where l.task_uuid = tasker_test.the_task()
       and l.reason is not null
  ),
  '{done by telephone}',
  'the reason is in the task''s log only'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
