begin;
select plan(1);

select tasker_test.make_task_with_steps_in_every_state();

select results_eq(
  $$
  select s.step_no, array_agg(v.to_state::text) filter (where v.most_recent)
    from tasker.workflow_steps as s
    join tasker.workflow_step_transitions as v on v.workflow_step_uuid = s.workflow_step_uuid
   where s.task_uuid = tasker_test.the_task()
   group by s.step_no
   order by s.step_no
  $$,
  $$
  select s.step_no, array[s.state::text]
    from tasker.workflow_steps as s
   where s.task_uuid = tasker_test.the_task()
   order by s.step_no
  $$,
  'the only most recent row leads to the current state'
);

select * from finish();
rollback;
