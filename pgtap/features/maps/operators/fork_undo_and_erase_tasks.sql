begin;
select plan(15);

select tasker_test.freeze('2026-11-22 12:00:00+00');
-- A fork takes the results of complete tasks over, and starts the others again.
select tasker_test.parcels('{"max_parallel": 2}');
select tasker_test.pack(p_limit => 1);
select tasker_test.pack('{1}', 1);
select alike(tasker_test.parcel_states(), '%: parcels=pending bill=pending parcels[0]=complete/complete parcels[1]=error/error parcels[2]=suspended/%', 'one is packed, one failed, one is open');
select set_config('tasker_test.old', tasker_test.the_task()::text, true);
select set_config('tasker_test.task', tasker.fork_task(tasker_test.the_task(), 'bill')::text, true);
select tasker_test.settle();
select is(
  tasker_test.parcel_states(),
  'waiting_for_dependencies: parcels=pending bill=pending parcels[0]=complete/complete parcels[1]=suspended/steps_in_process parcels[2]=suspended/steps_in_process',
  'the fork has the result of the first, whose task stays, and tasks of its own for the others'
);
select tasker_test.pack();
select is(
  (select c.parent_results from tasker.claim_step(tasker_test.the_step('bill'), tasker_test.worker(), 60) as c),
  '{"parcels": [{"pack": {"packed": 0}}, {"pack": {"packed": 1}}, {"pack": {"packed": 2}}]}', 'the results of the fork are in order'
);
select is_empty('select tasker_test.parcel_problems()', 'every invariant of the fork holds');
select set_config('tasker_test.task', current_setting('tasker_test.old'), true);
select is_empty('select tasker_test.parcel_problems()', 'every invariant of the old task holds');

-- A compensation undoes each element whose task was done; open tasks are cancelled.
select tasker_test.parcels('{"compensate": "unpack"}');
select tasker_test.pack(p_limit => 1);
select tasker.cancel_task(tasker_test.the_task(), 'no longer wanted');
select tasker_test.undo();
select tasker_test.settle();
select alike(
  tasker_test.parcel_states(), 'steps_in_process: parcels=cancelled bill=cancelled parcels[0]=complete/complete parcels[1]=cancelled/cancelled parcels[2]=cancelled/cancelled undo parcels[0]=enqueued%',
  'the element that was packed is undone, and the others are cancelled'
);
select results_eq(
  $$ select (c.inputs ->> 'child_task_uuid')::uuid, c.inputs -> 'result', c.inputs #> '{initialization,element}'
       from tasker.claim_step(tasker_test.the_step('undo parcels[0]'), tasker_test.worker(), 60) as c $$,
  $$ select s.child_task_uuid, '{"pack": {"packed": 0}}'::jsonb, '{"n": 0}'::jsonb
       from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('parcels[0]') $$,
  'the compensation gets the element, its task and the result'
);
select tasker_test.finish('undo parcels[0]');
select tasker_test.undo();
select alike(tasker_test.parcel_states(), 'cancelled: %', 'the order is then cancelled') where tasker_test.parcel_states() not like '%undo parcels[1]%';
select is_empty('select tasker_test.parcel_problems()', 'every invariant holds after the undo');

-- Erasing.
select tasker_test.parcels();
select tasker_test.pack();
select tasker_test.finish(u.name) from (select 'bill' as name, tasker_test.claim('bill')) as u;
select is((select count(*) from tasker.erase_task(tasker_test.the_task(), 'asked to', true) as e where e.outcome = 'erased'), 4::bigint, 'an erasure takes the tasks of a map, too');
select is(
  (select count(*) from tasker.tasks as t where (t.task_uuid = tasker_test.the_task() or tasker.task_uuid_of(t.parent_step_uuid) = tasker_test.the_task()) and t.context = '{"erased": true}'),
  4::bigint, 'no context is left'
);
select is((select count(*) from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.inputs::text like '%"n"%'), 0::bigint, 'no element is left');
select is_empty('select tasker_test.parcel_problems()', 'every invariant holds after the erasure');

-- Bounds: of the tree, and of its levels.
select tasker.set_setting('max_task_depth', '1');
select tasker_test.parcels(p_parcel => '{"steps": [{"name": "pack", "for_each": "$.parts", "task": {"name": "parcel"}, "allow_failures": 9}]}', p_context => '{"lines": [{"parts": [{"parts": []}]}]}');
select tasker_test.settle();
select is(
  (select s.last_error from tasker.workflow_steps as s join tasker.tasks as t on t.task_uuid = s.task_uuid
    where tasker.task_uuid_of(t.parent_step_uuid) = tasker_test.the_task() and s.name = 'pack[0]'),
  'tasks start tasks in more than 1 levels', 'an element below the last level fails'
);
select is(tasker.get_current_task_state(tasker_test.the_task())::text, 'steps_in_process', 'a map may tolerate that');

select * from finish();
rollback;
