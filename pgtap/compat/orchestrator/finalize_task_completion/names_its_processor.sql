begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.register('one', 'a');
select tasker_test.start_task('one');
select tasker_test.complete_step(tasker_test.the_step('a'));
select ok(
  tasker.finalize_task_completion(tasker_test.the_task(), '00000000-0000-0000-0000-0000000000e1'), 'a processor completes a task'
);
select is(
  (select l.processor_uuid from tasker.task_transition_log as l where l.task_uuid = tasker_test.the_task() order by l.sort_key desc limit 1),
  '00000000-0000-0000-0000-0000000000e1'::uuid, 'the log has the UUID of the processor'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
