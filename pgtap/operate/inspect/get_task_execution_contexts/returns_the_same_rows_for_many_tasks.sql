begin;
select plan(2);

select tasker_test.make_task_in(s::text) from unnest(enum_range(null::tasker.task_state)) as s;
select set_eq(
  $$ select c from tasker.get_task_execution_contexts(array(select t.task_uuid from tasker.tasks as t) || array['01980000-0000-7000-8000-000000000000']::uuid[]
                                                      || array[tasker_test.the_task()]) as c $$,
  'select c from tasker.tasks as t cross join lateral tasker.get_task_execution_context(t.task_uuid) as c',
  'it returns one row for each task that exists'
);
select is_empty('select tasker.get_task_execution_contexts(null)', 'it returns no row for null');

select * from finish();
rollback;
