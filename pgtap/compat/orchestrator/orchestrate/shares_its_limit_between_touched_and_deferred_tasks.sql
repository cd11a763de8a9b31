begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.create_task(p_deferred => true) from generate_series(1, 4);
select tasker_test.make_task() from generate_series(1, 2);

select is((select o.tasks_advanced from tasker.orchestrate(3) as o), 3, 'a call advances three tasks in all, not three of each kind');
select is((select o.tasks_advanced from tasker.orchestrate(3) as o), 3, 'the next call advances the rest');
select is((select o.tasks_advanced from tasker.orchestrate(3) as o), 0, 'a further call advances none');

select * from finish();
rollback;
