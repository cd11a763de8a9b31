begin;
select plan(12);

select tasker_test.make_task_with_steps_in_every_state();

select throws_ok(
  format('select tasker.add_step_edge(%L, %L)', tasker_test.the_step('pending'), s.workflow_step_uuid),
  'TK409', format('step %s is %s and cannot get another dependency', s.workflow_step_uuid, s.state),
  format('a child in state %s is refused', s.state)
)
  from tasker.workflow_steps as s
 where s.task_uuid = tasker_test.the_task()
   and s.name not like 'after%'
   and s.state <> 'pending'
 order by s.step_no;

select ok(
  tasker.add_step_edge(tasker_test.the_step('after_pending'), tasker_test.the_step('after_complete')),
  'a child that is pending is accepted'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
