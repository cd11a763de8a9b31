begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.make_task_in('waiting_for_dependencies');
prepare health as select s.health_status, s.minutes_without_progress, s.threshold_minutes, s.dlq_reason from tasker.get_task_staleness() as s;
select results_eq('health', $$ values ('healthy', 0.00, 60, null) $$, 'at first');
select tasker_test.pass('48 minutes');
select results_eq('health', $$ values ('warning', 48.00, 60, null) $$, 'after four fifths');
select tasker_test.pass('12 minutes');
select results_eq('health', $$ values ('stale', 60.00, 60, 'staleness_timeout') $$, 'after all of it');
select is((select count(*) from tasker.get_task_staleness('stale')), 1::bigint, 'only those asked for');
select is_empty($$ select from tasker.get_task_staleness('healthy') $$, 'and no other');
select throws_ok($$ select tasker.get_task_staleness('dead') $$, 'TK422', '"dead" is not a health status of tasks', 'another health');

select * from finish();
rollback;
