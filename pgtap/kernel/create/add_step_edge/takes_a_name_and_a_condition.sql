begin;
select plan(4);

select tasker_test.make_task();

select ok(
  tasker.add_step_edge(tasker_test.the_step('left'), tasker_test.the_step('right'), 'hands over', '$.amount > 100'),
  'an edge can have a name and a condition'
);
select results_eq(
  $$
  select e.name, e.condition::text
    from tasker.step_edges as e
   where e.to_step_uuid = tasker_test.the_step('right')
   order by e.name
  $$,
  $$ values ('hands over', '($."amount" > 100)'), ('provides', null) $$,
  'the edge has the name and the condition'
);

select ok(
  tasker.add_step_edge(tasker_test.the_step('top'), tasker_test.the_step('bottom'), null, null),
  'an edge can have a null name and a null condition'
);
select results_eq(
  $$
  select e.name, e.condition::text
    from tasker.step_edges as e
   where e.from_step_uuid = tasker_test.the_step('top')
     and e.to_step_uuid = tasker_test.the_step('bottom')
  $$,
  $$ values ('provides', null::text) $$,
  'null means the default name and no condition'
);

select * from finish();
rollback;
