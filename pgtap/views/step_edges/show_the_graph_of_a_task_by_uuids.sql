begin;
select plan(2);

select tasker_test.make_task();
select tasker.add_step_edge(tasker_test.the_step('left'), tasker_test.the_step('right'), 'hands over', '$.ok == true');

select set_eq(
  $$
  select e.from_step_uuid, e.to_step_uuid, e.name, e.condition::text
    from tasker.step_edges as e
   where e.task_uuid = tasker_test.the_task()
  $$,
  $$
  values
    (tasker_test.the_step('top'), tasker_test.the_step('left'), 'provides', null),
    (tasker_test.the_step('top'), tasker_test.the_step('right'), 'provides', null),
    (tasker_test.the_step('left'), tasker_test.the_step('bottom'), 'provides', null),
    (tasker_test.the_step('right'), tasker_test.the_step('bottom'), 'provides', null),
    (tasker_test.the_step('left'), tasker_test.the_step('right'), 'hands over', '($."ok" == true)')
  $$,
  'the view has each edge with the UUIDs of its steps'
);
select is(
  tasker_test.call_as(
    'tasker_reader', format('select count(*) from tasker.step_edges where task_uuid = %L', tasker_test.the_task())
  ),
  '5',
  'a reader may query the view'
);

select * from finish();
rollback;
