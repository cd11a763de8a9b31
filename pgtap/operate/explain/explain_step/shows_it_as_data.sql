begin;
select plan(4);

select tasker_test.register('order', 'a', 'b', 'c', 'x a', 'y', 'end x y b c');
update tasker.named_task_edges as e set condition = '$.ok == true' where e.from_step_no = 2;
select tasker_test.start_task('order');
select tasker_test.complete_step(tasker_test.the_step('b'), '{"ok": false}');
select tasker_test.fail_step(tasker_test.the_step('a'), '{"error": "no"}');
select tasker_test.move_step(tasker_test.the_step('a'), 'error');
select tasker_test.fail_step(tasker_test.the_step('y'), '{"error": "neither"}');
select tasker_test.move_step(tasker_test.the_step('y'), 'error');

select is(
  (select e.waiting_for from tasker.explain_step(tasker_test.the_step('end')) as e),
  jsonb_build_array(
    jsonb_build_object('step_uuid', tasker_test.the_step('c'), 'name', 'c', 'state', 'enqueued'),
    jsonb_build_object('step_uuid', tasker_test.the_step('x'), 'name', 'x', 'state', 'pending'),
    jsonb_build_object('step_uuid', tasker_test.the_step('y'), 'name', 'y', 'state', 'error')
  ),
  'waiting_for has the parents that have not settled'
);
select is(
  (select e.unsatisfied from tasker.explain_step(tasker_test.the_step('end')) as e),
  jsonb_build_array(
    jsonb_build_object('step_uuid', tasker_test.the_step('b'), 'name', 'b', 'state', 'complete', 'condition', '($."ok" == true)')
  ),
  'unsatisfied has the parents whose results did not meet their conditions'
);
select is(
  (select e.blocked_by from tasker.explain_step(tasker_test.the_step('end')) as e),
  jsonb_build_array(
    jsonb_build_object('step_uuid', tasker_test.the_step('y'), 'name', 'y', 'distance', 1, 'error', 'neither'),
    jsonb_build_object('step_uuid', tasker_test.the_step('a'), 'name', 'a', 'distance', 2, 'error', 'no')
  ),
  'blocked_by has the failed ancestors, nearest first'
);
select results_eq(
  $$ select e.name, e.handler, e.namespace, e.task_state::text, e.current_state::text, e.blocking_reason, e.attempts, e.retry_limit, e.last_error
       from tasker.explain_step(tasker_test.the_step('y')) as e $$,
  $$ values ('y', 'y', 'test', 'steps_in_process', 'error', 'retry_not_eligible', 1, 3, 'neither') $$,
  'the row has the step''s own facts'
);

select * from finish();
rollback;
