begin;
select plan(1);

select tasker_test.register_diamond();
update tasker.named_tasks_named_steps set retryable = false where step_name = 'top';

select tasker_test.start_task();
select ok(not tasker.step_has_attempts_left(tasker_test.the_step('top')), 'no attempt is left after the first failure');

select * from finish();
rollback;
