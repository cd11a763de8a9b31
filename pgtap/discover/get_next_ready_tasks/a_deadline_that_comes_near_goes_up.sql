begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.make_task();
update tasker.tasks set deadline = tasker.clock() + interval '10 hours';
select tasker_test.pass('5 hours');
select is(
  (select round(i.computed_priority, 4) from tasker.get_task_ready_info(tasker_test.the_task()) as i), 5.5,
  'half the time has passed: half of 10, and age'
);
select tasker_test.pass('20 hours');
select is(
  (select round(i.computed_priority, 4) from tasker.get_task_ready_info(tasker_test.the_task()) as i), 12.5,
  'never more than all of it'
);

select * from finish();
rollback;
