begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.make_task_in('complete');
select tasker_test.make_task_in('error');
select tasker.refresh_analytics();
select results_eq(
  'select s.task_name, s.namespace_name, s.task_version, s.execution_count, s.error_count, s.error_rate from tasker.get_slowest_tasks() as s',
  $$ values ('diamond', 'test', '0.1.0', 2, 1, 0.5000) $$, 'it returns one row for the template'
);
select is_empty($$ select from tasker.get_slowest_tasks(p_task_name => 'square') $$, 'it returns no row for another name');
select is_empty($$ select from tasker.get_slowest_tasks(p_version => '2') $$, 'it returns no row for another version');
select throws_ok('select tasker.get_slowest_tasks(p_limit => 0)', 'TK422', 'the limit is 0; it must be between 1 and 10,000', 'a limit of 0 is refused');

select * from finish();
rollback;
