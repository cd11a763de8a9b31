begin;
select plan(10);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.parcels();
select is(
  tasker_test.parcel_states(),
  'waiting_for_dependencies: parcels=pending bill=pending parcels[0]=suspended/steps_in_process parcels[1]=suspended/steps_in_process parcels[2]=suspended/steps_in_process',
  'each element has a task, and no worker waits'
);
select results_eq(
  $$ select s.name, c.context, c.depth from tasker.workflow_steps as s join tasker.tasks as c on c.parent_step_uuid = s.workflow_step_uuid
      where s.task_uuid = tasker_test.the_task() order by s.step_no $$,
  $$ values ('parcels[0]', '{"n": 0}'::jsonb, 1), ('parcels[1]', '{"n": 1}', 1), ('parcels[2]', '{"n": 2}', 1) $$,
  'the context of a task is its element'
);
select is((select array_agg(t.parent_step order by t.parent_step) from tasker.get_task_tree(tasker_test.the_task()) as t where t.level = 1),
  '{parcels[0],parcels[1],parcels[2]}', 'the tree of the task has them');
select alike((select x.summary from tasker.explain_step(tasker_test.the_step('parcels[1]')) as x), 'It waits for task %("parcel"), which is steps_in_process.', 'the element explains itself');
select is_empty('select tasker_test.parcel_problems()', 'every invariant holds');

-- In another order than that of the elements.
select tasker_test.pack(p_limit => 1);
select tasker_test.pack();
select is(
  tasker_test.parcel_states(),
  'steps_in_process: parcels=complete bill=enqueued parcels[0]=complete/complete parcels[1]=complete/complete parcels[2]=complete/complete',
  'the map completes with its tasks'
);
select is(
  (select c.parent_results from tasker.claim_step(tasker_test.the_step('bill'), tasker_test.worker(), 60) as c),
  '{"parcels": [{"pack": {"packed": 0}}, {"pack": {"packed": 1}}, {"pack": {"packed": 2}}]}',
  'the results of the tasks are in the order of the elements'
);
select tasker_test.finish('bill');
select is(tasker.get_current_task_state(tasker_test.the_task())::text, 'complete', 'the task completes');
select is_empty('select tasker_test.parcel_problems()', 'every invariant holds at the end');

select tasker_test.parcels(p_context => '{"lines": []}');
select is(tasker_test.parcel_states(), 'steps_in_process: parcels=complete bill=enqueued', 'a map over nothing completes at once');

select * from finish();
rollback;
