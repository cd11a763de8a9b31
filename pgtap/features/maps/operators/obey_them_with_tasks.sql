begin;
select plan(26);

select tasker_test.freeze('2026-11-22 12:00:00+00');
-- Cancelling.
select tasker_test.parcels();
select tasker.cancel_task(tasker_test.the_task(), 'no longer wanted');
select tasker_test.settle();
select is(
  tasker_test.parcel_states(),
  'cancelled: parcels=cancelled bill=cancelled parcels[0]=cancelled/cancelled parcels[1]=cancelled/cancelled parcels[2]=cancelled/cancelled',
  'cancelling the task cancels the tasks of its map'
);
select is_empty('select tasker_test.parcel_problems()', 'every invariant holds after the cancellation');

select tasker_test.parcels('{"task": {"name": "parcel", "abandon": true}}');
select tasker.cancel_task(tasker_test.the_task());
select tasker_test.settle();
select alike(tasker_test.parcel_states(), 'cancelled: % parcels[2]=cancelled/steps_in_process', 'abandoned tasks go on');
select is_empty('select tasker_test.parcel_problems()', 'every invariant holds with abandoned tasks');
select tasker_test.pack();

-- A deadline of the step.
select tasker_test.parcels('{"timeout": "1h", "on_timeout": "skip", "allow_failures": 3}');
select tasker_test.pack(p_limit => 1);
select tasker_test.pass('61 minutes');
select tasker_test.settle();
select is(
  tasker_test.parcel_states(),
  'steps_in_process: parcels=complete bill=enqueued parcels[0]=complete/complete parcels[1]=cancelled/cancelled parcels[2]=cancelled/cancelled',
  'a timeout is that of each element'
);
select is_empty('select tasker_test.parcel_problems()', 'every invariant holds after the timeout');

-- Retries.
select tasker_test.parcels('{"retry": {"max_attempts": 2, "backoff": "constant", "base_seconds": 60}}');
select tasker_test.pack('{1}');
select alike(tasker_test.parcel_states(), '%: parcels=pending % parcels[1]=waiting_for_retry/error %', 'an element is tried again by the retry of its step');
select tasker_test.pass('10 minutes');
select tasker_test.settle();
select alike(tasker_test.parcel_states(), '% parcels[1]=suspended/steps_in_process %', 'another attempt resets its task');
select tasker_test.pack();
select alike(tasker_test.parcel_states(), 'steps_in_process: parcels=complete %', 'the map completes');
select is_empty('select tasker_test.parcel_problems()', 'every invariant holds after a retry');

select tasker_test.parcels();
select tasker_test.pack('{1}');
select alike(tasker_test.parcel_states(), 'blocked_by_failures: parcels=pending % parcels[1]=error/error %', 'a failed task blocks the order');
select tasker.retry_step(tasker_test.the_step('parcels[1]'));
select tasker_test.orchestrate(), tasker_test.settle();
select alike(tasker_test.parcel_states(), '% parcels[1]=suspended/steps_in_process %', 'retry_step on the element resets its task');
select tasker_test.pack('{1}');
select tasker.give_up_task(tasker_test.the_task());
select tasker.reset_task(tasker_test.the_task());
select tasker_test.orchestrate(), tasker_test.settle();
select tasker_test.pack();
select alike(tasker_test.parcel_states(), 'steps_in_process: parcels=complete %', 'so does a reset of the order');
select is_empty('select tasker_test.parcel_problems()', 'every invariant holds after a reset');

select tasker_test.parcels();
select tasker_test.pack('{1}');
select tasker.complete_step_manually(tasker_test.the_step('parcels[1]'), '{"pack": {"packed": "by hand"}}', p_reason => 'packed by hand');
select tasker_test.orchestrate(), tasker_test.settle();
select is(
  (select c.parent_results -> 'parcels' -> 1 from tasker.claim_step(tasker_test.the_step('bill'), tasker_test.worker(), 60) as c),
  '{"pack": {"packed": "by hand"}}', 'an operator may complete an element'
);

-- Another run of what the map runs over, of the map, or of one element.
select tasker_test.create_waiting(
  'listed', '[{"name": "list"}, {"name": "parcels", "dependencies": ["list"], "for_each": {"step": "list"}, "task": {"name": "parcel"}},
    {"name": "bill", "dependencies": ["parcels"]}]'
);
select tasker_test.claim('list');
select tasker_test.finish('list', '[{"n": 0}, {"n": 1}, {"n": 2}]');
select tasker_test.settle();
select tasker_test.pack(p_limit => 1);
select tasker.rerun_step(tasker_test.the_step('list'), 'other lines');
select tasker_test.settle();
select tasker_test.claim('list');
select tasker_test.finish('list', '[{"n": 7}, {"n": 8}, {"n": 9}]');
select tasker_test.settle();
select is((select count(*) from tasker.tasks as t where t.parent_step_uuid is not null and tasker.task_uuid_of(t.parent_step_uuid) = tasker_test.the_task() and not t.complete), 3::bigint, 'another run of the step above lets the map start other tasks');
select is((select count(*) from tasker.tasks as t where tasker.task_uuid_of(t.parent_step_uuid) = tasker_test.the_task() and t.state = 'cancelled'), 2::bigint, 'the open tasks of the run before are cancelled');
select tasker_test.pack();
select alike(tasker_test.parcel_states(), 'steps_in_process: list=complete parcels=complete bill=enqueued %', 'the map completes again');
select is_empty('select tasker_test.parcel_problems()', 'every invariant holds after another run');
select tasker.rerun_step(tasker_test.the_step('parcels'), 'the scales were wrong');
select tasker_test.settle();
select tasker_test.pack();
select is(
  (select c.parent_results from tasker.claim_step(tasker_test.the_step('bill'), tasker_test.worker(), 60) as c),
  '{"parcels": [{"pack": {"packed": 7}}, {"pack": {"packed": 8}}, {"pack": {"packed": 9}}]}', 'another run of the map packs all again'
);
select is((select count(*) from tasker.tasks as t where tasker.task_uuid_of(t.parent_step_uuid) = tasker_test.the_task() and t.state = 'complete'), 7::bigint, 'in tasks of its own');
select tasker.rerun_step(x.workflow_step_uuid, 'wrong box')
  from (
    select s.workflow_step_uuid from tasker.workflow_steps as s join tasker.added_step_edges as e on e.task_uuid = s.task_uuid and e.from_step_no = s.step_no
     where s.task_uuid = tasker_test.the_task() and s.name = 'parcels[1]'
  ) as x;
select tasker_test.settle();
select is((select count(*) from tasker.tasks as t where tasker.task_uuid_of(t.parent_step_uuid) = tasker_test.the_task() and not t.complete), 1::bigint, 'another run of an element starts its task anew');
select tasker_test.pack();
select alike(tasker_test.parcel_states(), 'steps_in_process: list=complete parcels=complete bill=enqueued %', 'and the map completes');
select is_empty('select tasker_test.parcel_problems()', 'every invariant holds after another run of an element');

-- A deadline of the order.
select tasker_test.parcels();
select set_config('tasker_test.task', c.task_uuid::text, true)
  from tasker.create_task('test', 'order', '{"lines": [{"n": 0}]}', p_deadline => tasker.clock() + interval '1 minute') as c;
select tasker_test.settle();
select tasker_test.pass('2 minutes');
select tasker_test.settle();
select is(tasker_test.parcel_states(), 'error: parcels=pending bill=pending parcels[0]=error/error', 'the deadline of the order is that of its parcels');
select is_empty('select tasker_test.parcel_problems()', 'every invariant holds after the deadline');

select * from finish();
rollback;
