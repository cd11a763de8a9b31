begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.register('lanes', 'urgent', 'pressing', 'usual', 'idle');
update tasker.named_tasks_named_steps as s
   set priority = p.priority
  from (values ('urgent', 100), ('pressing', 1), ('idle', -1)) as p (name, priority)
 where s.step_name = p.name;
select tasker_test.start_task('lanes');

prepare queue as
  select s.name, q.namespace, q.lane::text, q.visible_at = tasker.clock(), q.claim_no, q.named_step_uuid = s.named_step_uuid
    from tasker.step_queue as q
    join tasker.workflow_steps as s
      on s.task_uuid = q.task_uuid
     and s.step_no = q.step_no
   where q.task_uuid = tasker_test.the_task()
   order by s.step_no;

select results_eq(
  'queue',
  $$
  values
    ('urgent', 'test', 'high', true, 0, true),
    ('pressing', 'test', 'high', true, 0, true),
    ('usual', 'test', 'normal', true, 0, true),
    ('idle', 'test', 'low', true, 0, true)
  $$,
  'the lane follows the priority: high above zero, low below'
);

select tasker_test.move_step(tasker_test.the_step('urgent'), 'in_progress', 'enqueued_for_orchestration');
select tasker_test.move_step(tasker_test.the_step('idle'), 'in_progress', 'enqueued_as_error_for_orchestration');
select tasker_test.move_step(tasker_test.the_step('usual'), 'cancelled');
select results_eq(
  'queue',
  $$
  values
    ('urgent', 'test', 'results', true, 1, true),
    ('pressing', 'test', 'high', true, 0, true),
    ('idle', 'test', 'results', true, 1, true)
  $$,
  'results and failures wait in the lane of results'
);

select tasker_test.move_step(tasker_test.the_step('urgent'), 'complete');
select tasker_test.move_step(tasker_test.the_step('idle'), 'error', 'pending', 'enqueued');
select results_eq(
  'queue',
  $$
  values
    ('pressing', 'test', 'high', true, 0, true),
    ('idle', 'test', 'low', true, 1, true)
  $$,
  'a retried step returns to its lane'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
