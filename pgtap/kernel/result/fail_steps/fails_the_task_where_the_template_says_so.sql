begin;
select plan(9);

select tasker_test.register_as('failing', '{"on_failure": "fail"}', 'bad', 'good', 'after_good good', 'after_both bad good');
select tasker_test.create_task('failing');
select tasker_test.claim('bad', 'good');
select tasker_test.fail_for_good('bad');
select is(tasker.get_current_task_state(tasker_test.the_task())::text, 'steps_in_process', 'other branches continue after a failure');
select tasker_test.finish('good');
select tasker_test.run('after_good');

select is(tasker.get_current_task_state(tasker_test.the_task())::text, 'error', 'the task fails when no step can move');
select results_eq(
  $$ select l.event, l.to_state::text, l.metadata from tasker.task_transition_log as l
      where l.task_uuid = tasker_test.the_task() order by l.sort_key desc limit 2 $$,
  $$ values ('GiveUp', 'error', '{"on_failure": "fail"}'::jsonb), ('PermanentFailure', 'blocked_by_failures', '{"count": 1}') $$,
  'the task''s log shows that it gave itself up'
);
select is_empty($$ select tasker_test.violations() $$, 'every invariant holds');
select is_empty($$ select from tasker.timers as m where m.task_uuid = tasker_test.the_task() $$, 'no timer is left');

select ok(tasker.reset_task(tasker_test.the_task()), 'reset_task accepts the task');
select tasker_test.run('bad', 'after_both');
select is(tasker.get_current_task_state(tasker_test.the_task())::text, 'complete', 'the task continues with the failed steps and completes');

-- By set: two tasks in one call.
select tasker_test.create_task('failing');
select set_config('tasker_test.first', tasker_test.the_task()::text, true);
select tasker_test.create_task('failing');
with claimed as (
  select c.* from tasker.claim_steps('{test}', tasker_test.worker(), 10) as c
)
select count(*) from claimed as c,
  lateral tasker.exchange_steps(tasker_test.worker(), array[c.step_uuid], array[c.claim_no], array['{}'::jsonb], array['no'], array[true]) as x;
select is(
  (select array_agg(t.state::text) from tasker.tasks as t where t.task_uuid in (tasker_test.the_task(), current_setting('tasker_test.first')::uuid)),
  '{error,error}', 'a task whose steps have all failed fails, too'
);
select is_empty($$ select tasker_test.violations(current_setting('tasker_test.first')::uuid) union all select tasker_test.violations() $$, 'every invariant holds');

select * from finish();
rollback;
