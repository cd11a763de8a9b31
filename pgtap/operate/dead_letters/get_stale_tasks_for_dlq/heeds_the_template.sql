begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.make_task_in('steps_in_process');
update tasker.named_tasks set max_steps_in_process_minutes = 500;
select tasker_test.pass('499 minutes');
select is_empty('select from tasker.get_stale_tasks_for_dlq(p_steps_in_process_minutes => 1)', 'the template''s lifecycle takes precedence over a shorter threshold');
select tasker_test.pass('1 minute');
select results_eq('select s.threshold_minutes from tasker.get_stale_tasks_for_dlq() as s', array[500], 'the template''s lifecycle takes precedence over a longer threshold');

select * from finish();
rollback;
