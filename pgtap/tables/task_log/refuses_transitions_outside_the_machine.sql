-- The log has numbers of paths only, and its domain refuses a number without a path, whichever role inserts it.
begin;
select plan(6);

select tasker_test.make_task();

prepare insert_row (integer) as
  insert into tasker.task_log (task_uuid, sort_key, path) values (tasker_test.the_task(), 1, $1);

select throws_ok(
  format('execute insert_row (%s)', n), '23514', 'value for domain tasker.task_path violates check constraint "task_path_check"',
  format('%s is refused', n)
)
  from unnest('{0,50,1018,3002}'::integer[]) as n;
select throws_ok(
  'execute insert_row (null)', '23502', format('null value in column "path" of relation "%s" violates not-null constraint', replace(tasker_test.the_partition('task_log')::text, 'tasker.', '')),
  'a row without a path is refused'
);
select lives_ok('execute insert_row (1)', 'the number of a path is accepted');

select * from finish();
rollback;
