begin;
select plan(9);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.parcels('{"allow_failures": 1}');
select tasker_test.pack('{1}');
select is(
  tasker_test.parcel_states(),
  'steps_in_process: parcels=complete bill=enqueued parcels[0]=complete/complete parcels[1]=cancelled/error parcels[2]=complete/complete',
  'a task that failed is tolerated'
);
select is(
  (select c.parent_results -> 'parcels' from tasker.claim_step(tasker_test.the_step('bill'), tasker_test.worker(), 60) as c),
  '[{"pack": {"packed": 0}}, null, {"pack": {"packed": 2}}]', 'its place in the results is null'
);
select is(
  (select s.last_error from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.name = 'parcels[1]'),
  (select format('task %s failed: step "pack": no box', s.child_task_uuid) from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.name = 'parcels[1]'),
  'the element says why'
);
select is_empty('select tasker_test.parcel_problems()', 'every invariant holds');

-- One failure more than the map allows: tasks that have started go on, no other starts.
select tasker_test.parcels('{"allow_failures": 1, "max_parallel": 2}', p_context => '{"lines": [{"n": 0}, {"n": 1}, {"n": 2}, {"n": 3}]}');
select tasker_test.pack('{0}', 1);
select tasker_test.pack('{1}', 1);
select alike(
  tasker_test.parcel_states(), '%: parcels=error bill=pending parcels[0]=cancelled/error parcels[1]=error/error parcels[2]=suspended/steps_in_process',
  'the second failure fails the map, and what has started goes on'
);
select tasker_test.pack();
select alike(tasker_test.parcel_states(), 'blocked_by_failures: parcels=error % parcels[2]=complete/complete', 'no other element starts');
select is_empty('select tasker_test.parcel_problems()', 'every invariant holds after the failure');

-- What a failed map has not started yet.
select tasker_test.parcels('{"allow_failures": 0}');
update tasker.workflow_steps as s set child_task_uuid = null where s.task_uuid = tasker_test.the_task() and s.name = 'parcels[2]';
insert into tasker.timers (task_uuid, step_no, kind, due_at, namespace)
select s.task_uuid, s.step_no, 'start_child', tasker.clock() + interval '1 hour', 'test' from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.name = 'parcels[2]';
select tasker_test.pack('{0}');
select alike(tasker_test.parcel_states(), '%: parcels=error bill=pending parcels[0]=error/error parcels[1]=complete/complete parcels[2]=cancelled', 'an element whose task has not started is cancelled');
select is((select count(*) from tasker.timers as m where m.task_uuid = tasker_test.the_task()), 0::bigint, 'its note is gone');

select * from finish();
rollback;
