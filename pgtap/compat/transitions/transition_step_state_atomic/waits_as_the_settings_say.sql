begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.start_task();
select tasker.set_setting('backoff_base', '5');
select tasker.set_setting('backoff_jitter', '0');
select tasker.set_setting('backoff_multiplier', '4');
select tasker.set_setting('max_backoff_seconds', '50');

prepare wait as
  select s.next_retry_at - tasker.clock()
    from tasker.workflow_steps as s
   where s.workflow_step_uuid = tasker_test.the_step('top');

select tasker_test.fail_step(tasker_test.the_step('top'));
select tasker_test.move_step(tasker_test.the_step('top'), 'waiting_for_retry');
select results_eq('wait', $$ values (interval '20 seconds') $$, 'the first wait is five seconds times four');

select tasker_test.pass('20 seconds');
select tasker_test.move_step(tasker_test.the_step('top'), 'pending');
select tasker_test.fail_step(tasker_test.the_step('top'));
select tasker_test.move_step(tasker_test.the_step('top'), 'waiting_for_retry');
select results_eq('wait', $$ values (interval '50 seconds') $$, 'the second wait is as long as the setting allows');

select tasker.set_setting('max_backoff_seconds', '0');
select tasker_test.start_task();
select tasker_test.fail_step(tasker_test.the_step('top'));
select tasker_test.move_step(tasker_test.the_step('top'), 'waiting_for_retry');
select results_eq('wait', $$ values (interval '0') $$, 'a longest wait of zero makes the step due at once');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
