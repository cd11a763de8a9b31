begin;
select plan(3);

select tasker_test.freeze_with_partitions('2026-03-01 12:00+00');
select tasker_test.hourly('b');
select tasker_test.hourly('a');
select tasker.register_task_template('{"namespace": "other", "name": "report", "steps": [{"name": "write"}]}');
select tasker.set_schedule('other', 'c', 'report', '* * * * *');
select results_eq('select s.namespace, s.schedule from tasker.list_schedules() as s', $$ values ('other', 'c'), ('test', 'a'), ('test', 'b') $$, 'list_schedules returns all schedules');
select results_eq($$ select s.schedule from tasker.list_schedules('other') as s $$, $$ values ('c') $$, 'p_namespace filters by namespace');
select is_empty($$ select from tasker.list_schedules('nothing') as s $$, 'an unknown namespace has no schedules');

select * from finish();
rollback;
