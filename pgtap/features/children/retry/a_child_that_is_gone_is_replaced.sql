begin;
select plan(6);

select tasker_test.family('{"timeout": "1h"}', '{"on_failure": "fail"}');
select tasker.fire_due_timers();
select tasker_test.child();
select tasker_test.claim('a');
select tasker_test.fail_for_good('a');
select tasker.fire_due_timers();
select is(tasker_test.family_states(), 'blocked_by_failures error: error error pending', 'the child has failed');

-- As if retention had dropped it.
update tasker.workflow_steps as s set child_task_uuid = '018f0000-0000-7000-8000-000000000000' where s.task_uuid = tasker_test.parent() and s.name = 'kid';
select results_eq(
  $$ select n.level, n.task_uuid, n.state::text, n.parent_step from tasker.get_task_tree(tasker_test.parent()) as n where n.level = 1 $$,
  $$ values (1, '018f0000-0000-7000-8000-000000000000'::uuid, null::text, 'kid') $$,
  'get_task_tree shows that the child was deleted'
);
select ok(tasker.retry_step(tasker_test.the_step('kid')), 'retry_step accepts the step');
select tasker.fire_due_timers();
select is(tasker_test.family_states(), 'waiting_for_dependencies suspended: steps_in_process enqueued pending', 'the next attempt starts a new child');
select tasker_test.child();
select tasker_test.run('a', 'b');
select tasker.fire_due_timers();
update tasker.workflow_steps as s set child_task_uuid = '018f0000-0000-7000-8000-000000000000' where s.task_uuid = tasker_test.parent() and s.name = 'kid';
select is(
  (select s.results from tasker.workflow_steps as s where s.task_uuid = tasker_test.parent() and s.name = 'kid'), '{"b": {}}',
  'the step keeps the result of a child that was deleted'
);
select tasker_test.run('after');
select is(tasker.get_current_task_state(tasker_test.the_task())::text, 'complete', 'the parent completes');

select * from finish();
rollback;
