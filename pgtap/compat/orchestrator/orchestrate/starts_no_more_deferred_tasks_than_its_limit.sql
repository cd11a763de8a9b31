begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.create_task(p_deferred => true) from generate_series(1, 4);
select tasker_test.make_task() from generate_series(1, 2);

select is((select o.tasks_advanced from tasker.orchestrate(3) as o), 3, 'a call starts three deferred tasks');
select is((select o.tasks_advanced from tasker.orchestrate(3) as o), 1, 'the next call starts the other');
select is((select o.tasks_advanced from tasker.orchestrate(3) as o), 0, 'a further call starts none');
select is((select count(*) from tasker.tasks as t where t.state = 'steps_in_process'), 6::bigint, 'the touched tasks have been advanced, too');

select * from finish();
rollback;
