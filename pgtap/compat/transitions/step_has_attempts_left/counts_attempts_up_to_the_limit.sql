-- Three attempts, as the template says.
begin;
select plan(5);

select tasker_test.start_task();

select ok(tasker.step_has_attempts_left(tasker_test.the_step('top')), 'attempts are left before the first');

select tasker_test.freeze();
select tasker_test.fail_step(tasker_test.the_step('top'), '{"backoff_seconds": 0}');
select ok(tasker.step_has_attempts_left(tasker_test.the_step('top')), 'attempts are left after the first of three');

select tasker_test.move_step(tasker_test.the_step('top'), 'waiting_for_retry', 'pending');
select tasker_test.fail_step(tasker_test.the_step('top'), '{"backoff_seconds": 0}');
select ok(tasker.step_has_attempts_left(tasker_test.the_step('top')), 'attempts are left after the second of three');

select tasker_test.move_step(tasker_test.the_step('top'), 'waiting_for_retry', 'pending');
select tasker_test.fail_step(tasker_test.the_step('top'));
select ok(not tasker.step_has_attempts_left(tasker_test.the_step('top')), 'no attempt is left after the third');

select tasker_test.move_step(tasker_test.the_step('top'), 'error', 'pending');
select ok(tasker.step_has_attempts_left(tasker_test.the_step('top')), 'an operator''s retry resets the attempts');

select * from finish();
rollback;
