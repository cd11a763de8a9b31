begin;
select plan(9);

select tasker_test.register_as('failing', '{"on_failure": "fail"}', 'bad', 'good', 'after_good good', 'after_both bad good');
select tasker_test.create_task('failing');
select tasker_test.claim('bad', 'good');
select tasker_test.fail_for_good('bad');
select is(tasker.get_current_task_state(tasker_test.the_task())::text, 'steps_in_process', 'other branches go on after a failure');
select tasker_test.finish('good');
select tasker_test.run('after_good');

select is(tasker.get_current_task_state(tasker_test.the_task())::text, 'error', 'and when nothing can move, the task fails');
select results_eq(
  $$ select l.event, l.to_state::text, l.metadata from tasker.task_transition_log as l
      where l.task_uuid = tasker_test.the_task() order by l.sort_key desc limit 2 $$,
  $$ values ('GiveUp', 'error', '{"on_failure": "fail"}'::jsonb), ('PermanentFailure', 'blocked_by_failures', '{"count": 1}') $$,
  'it gave itself up'
);
select is_empty($$ select tasker_test.violations() $$, 'every invariant holds');
select is_empty($$ select from tasker.timers as m where m.task_uuid = tasker_test.the_task() $$, 'nothing is due for it');

select ok(tasker.reset_task(tasker_test.the_task()), 'an operator resets it');
select tasker_test.run('bad', 'after_both');
select is(tasker.get_current_task_state(tasker_test.the_task())::text, 'complete', 'and it goes on where it failed');

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
  '{error,error}', 'also tasks whose steps all failed'
);
select is_empty($$ select tasker_test.violations(current_setting('tasker_test.first')::uuid) union all select tasker_test.violations() $$, 'every invariant holds');

select * from finish();
rollback;
