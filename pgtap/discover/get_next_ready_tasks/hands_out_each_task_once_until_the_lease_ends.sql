begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.make_task() from generate_series(1, 5);
select is((select count(*) from tasker.get_next_ready_tasks(3)), 3::bigint, 'three of five');
select is((select count(*) from tasker.get_next_ready_tasks(3)), 2::bigint, 'then the other two');
select is_empty('select from tasker.get_next_ready_tasks(3)', 'then none');
select set_eq(
  'select t.discovered_until from tasker.tasks as t', array[tasker.clock() + interval '30 seconds'],
  'the lease is on the task'
);
select tasker_test.pass('29 seconds');
select is_empty('select from tasker.get_next_ready_tasks(3)', 'nor a second before it ends');
select tasker_test.pass('1 second');
select is((select count(*) from tasker.get_next_ready_tasks(10)), 5::bigint, 'then all of them again');

select * from finish();
rollback;
