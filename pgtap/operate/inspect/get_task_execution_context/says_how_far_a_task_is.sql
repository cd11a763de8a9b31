begin;
select plan(13);

select tasker_test.freeze();
prepare context as
  select c.status::text, c.execution_status, c.recommended_action, c.health_status, c.completion_percentage
    from tasker.get_task_execution_context(tasker_test.the_task()) as c;

select tasker_test.make_task_in('pending');
select results_eq('context', $$ values ('pending', 'has_ready_steps', 'execute_ready_steps', 'healthy', 0.00) $$, 'a pending task has ready steps');
select tasker_test.make_task_in('steps_in_process');
select results_eq('context', $$ values ('steps_in_process', 'processing', 'wait_for_completion', 'healthy', 0.00) $$, 'a running task is processing');
select tasker_test.complete_step(tasker_test.the_step('top'));
select results_eq('context', $$ values ('steps_in_process', 'has_ready_steps', 'execute_ready_steps', 'healthy', 25.00) $$, 'a task with one of four steps done is at 25 percent');
select tasker_test.fail_step(tasker_test.the_step('left'));
select tasker_test.move_step(tasker_test.the_step('left'), 'error');
select results_eq(
  'context', $$ values ('steps_in_process', 'has_ready_steps', 'execute_ready_steps', 'recovering', 25.00) $$,
  'a failed branch does not hide a branch that can continue'
);
select tasker_test.complete_step(tasker_test.the_step('right'));
select results_eq(
  'context', $$ values ('steps_in_process', 'blocked_by_failures', 'handle_failures', 'blocked', 50.00) $$, 'a task in which nothing else can move is blocked'
);
select tasker_test.make_task_in('waiting_for_retry');
select results_eq('context', $$ values ('waiting_for_retry', 'waiting_for_retry', 'wait_for_retry', 'recovering', 0.00) $$, 'a task whose retry is due later is recovering');
select tasker_test.pass('1 minute');
select results_eq('context', $$ values ('waiting_for_retry', 'has_ready_steps', 'execute_ready_steps', 'recovering', 0.00) $$, 'a task whose retry is due has ready steps');
select tasker_test.start_task();
select tasker_test.complete_step(tasker_test.step(tasker_test.the_task(), n)) from unnest(array['top', 'left', 'right', 'bottom']) as n;
select results_eq('context', $$ values ('steps_in_process', 'all_complete', 'finalize_task', 'healthy', 100.00) $$, 'a task without open steps is to be finalized');
select tasker_test.make_task_in('cancelled');
select results_eq('context', $$ values ('cancelled', 'ended', 'none', 'ended', 100.00) $$, 'cancelled steps count as settled');
select tasker_test.make_task_in('error');
select results_eq('context', $$ values ('error', 'ended', 'none', 'ended', 0.00) $$, 'a failed task has ended');
select tasker_test.make_task();
update tasker.workflow_steps set pending_parents = 1, total_parents = 1
 where task_uuid = tasker_test.the_task() and name = 'top';
select results_eq(
  'context', $$ values ('pending', 'waiting_for_dependencies', 'wait_for_dependencies', 'healthy', 0.00) $$, 'a task whose steps all wait for others waits for dependencies'
);
select tasker_test.register('empty', variadic '{}');
select tasker_test.make_task('empty');
select results_eq('context', $$ values ('pending', 'all_complete', 'finalize_task', 'healthy', 100.00) $$, 'a task without steps is to be finalized');
select throws_ok($$ select tasker.get_task_execution_context('01980000-0000-7000-8000-000000000000') $$, 'TK404', 'task 01980000-0000-7000-8000-000000000000 does not exist', 'an unknown task is refused');

select * from finish();
rollback;
