begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.make_task_in('waiting_for_dependencies');
prepare health as select s.health_status, s.minutes_without_progress, s.threshold_minutes, s.dlq_reason from tasker.get_task_staleness() as s;
select results_eq('health', $$ values ('healthy', 0.00, 60, null) $$, 'a new task is healthy');
select tasker_test.pass('48 minutes');
select results_eq('health', $$ values ('warning', 48.00, 60, null) $$, 'the task has a warning after four fifths of its threshold');
select tasker_test.pass('12 minutes');
select results_eq('health', $$ values ('stale', 60.00, 60, 'staleness_timeout') $$, 'the task is stale after its threshold');
select is((select count(*) from tasker.get_task_staleness('stale')), 1::bigint, 'p_health_status returns tasks of that health');
select is_empty($$ select from tasker.get_task_staleness('healthy') $$, 'p_health_status returns no other tasks');
select throws_ok($$ select tasker.get_task_staleness('dead') $$, 'TK422', '"dead" is not a health status of tasks', 'an unknown health is refused');

select * from finish();
rollback;
