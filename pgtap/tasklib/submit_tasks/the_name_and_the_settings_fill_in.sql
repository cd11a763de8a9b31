begin;
select plan(3);

select tasker_test.register_echo();
select tasklib.set_setting('max_retries', '7');
select tasklib.set_setting('default_task_timeout_seconds', '120');

select tasker_test.echo() as task \gset
select results_eq(
  format('select t.max_retries, t.timeout_seconds from tasklib.tasks as t where t.id = %L', :'task'), 'values (7, 120)',
  'the settings apply when the name sets nothing'
);
select tasklib.register_task('echo', '{"max_retries": 1, "timeout_seconds": 5}');
select tasker_test.echo() as task \gset
select results_eq(
  format('select t.max_retries, t.timeout_seconds from tasklib.tasks as t where t.id = %L', :'task'), 'values (1, 5)',
  'the options of the name override the settings'
);
select s.id as task from tasklib.submit_task('echo', p_max_retries => 0, p_timeout_seconds => 9) as s \gset
select results_eq(
  format('select t.max_retries, t.timeout_seconds from tasklib.tasks as t where t.id = %L', :'task'), 'values (0, 9)',
  'the submission overrides the options'
);

select * from finish();
rollback;
