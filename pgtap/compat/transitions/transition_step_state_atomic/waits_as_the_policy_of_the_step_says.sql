begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.register_diamond();
update tasker.named_tasks_named_steps
   set backoff_base_seconds = 10, backoff_multiplier = 3, max_backoff_seconds = 100, max_attempts = 5
 where step_name = 'top';
select tasker_test.start_task();
select tasker.set_setting('backoff_jitter', '0');

prepare wait as
  select s.next_retry_at - tasker.clock()
    from tasker.workflow_steps as s
   where s.workflow_step_uuid = tasker_test.the_step('top');

select tasker_test.fail_step(tasker_test.the_step('top'));
select tasker_test.move_step(tasker_test.the_step('top'), 'waiting_for_retry');
select results_eq('wait', $$ values (interval '30 seconds') $$, 'the first wait is ten seconds times three');

select tasker_test.pass('30 seconds');
select tasker_test.move_step(tasker_test.the_step('top'), 'pending');
select tasker_test.fail_step(tasker_test.the_step('top'));
select tasker_test.move_step(tasker_test.the_step('top'), 'waiting_for_retry');
select results_eq('wait', $$ values (interval '90 seconds') $$, 'the second wait is three times as long');

select tasker_test.pass('90 seconds');
select tasker_test.move_step(tasker_test.the_step('top'), 'pending');
select tasker_test.fail_step(tasker_test.the_step('top'));
select tasker_test.move_step(tasker_test.the_step('top'), 'waiting_for_retry');
select results_eq('wait', $$ values (interval '100 seconds') $$, 'a wait is at most as long as the policy allows');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
