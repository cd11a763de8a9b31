begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.make_task();
update tasker.tasks set deadline = tasker.clock() + interval '10 hours';
select tasker_test.pass('5 hours');
select is(
  (select round(i.computed_priority, 4) from tasker.get_task_ready_info(tasker_test.the_task()) as i), 5.5,
  'half of the time gives half of the deadline factor, plus the age'
);
select tasker_test.pass('20 hours');
select is(
  (select round(i.computed_priority, 4) from tasker.get_task_ready_info(tasker_test.the_task()) as i), 12.5,
  'a missed deadline gives no more than the whole deadline factor'
);

select * from finish();
rollback;
