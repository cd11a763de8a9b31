-- The log has numbers of paths only, and its domain refuses a number without a path, whichever role inserts it.
begin;
select plan(5);

select tasker_test.make_task();

prepare insert_row (integer) as
  insert into tasker.step_log (task_uuid, step_no, sort_key, path) values (tasker_test.the_task(), 1, 1, $1);

select throws_ok(
  'execute insert_row (78)', '23514', 'value for domain tasker.step_path violates check constraint "step_path_check"',
  'the number after the last good path is refused'
);
select throws_ok(
  'execute insert_row (0)', '23514', 'value for domain tasker.step_path violates check constraint "step_path_check"',
  'zero is refused'
);
select throws_ok(
  'execute insert_row (null)', '23502', format('null value in column "path" of relation "%s" violates not-null constraint', replace(tasker_test.the_partition('step_log')::text, 'tasker.', '')),
  'a row without a path is refused'
);
select throws_ok(
  'insert into tasker.step_log (task_uuid, step_no, sort_key, path, execution_time_ms) values (tasker_test.the_task(), 1, 1, 5, -1)',
  '23514', 'value for domain tasker.log_duration violates check constraint "log_duration_check"', 'a negative time of execution is refused'
);
select lives_ok('execute insert_row (1)', 'the number of a path is accepted');

select * from finish();
rollback;
