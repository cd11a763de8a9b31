begin;
select plan(4);

select tasker_test.make_task();

select ok(
  tasker.add_step_edge(tasker_test.the_step('left'), tasker_test.the_step('right'), 'hands over', '$.amount > 100'),
  'both may be given'
);
select results_eq(
  $$
  select e.name, e.condition::text
    from tasker.step_edges as e
   where e.to_step_uuid = tasker_test.the_step('right')
   order by e.name
  $$,
  $$ values ('hands over', '($."amount" > 100)'), ('provides', null) $$,
  'and are kept'
);

select ok(
  tasker.add_step_edge(tasker_test.the_step('top'), tasker_test.the_step('bottom'), null, null),
  'null is accepted for both'
);
select results_eq(
  $$
  select e.name, e.condition::text
    from tasker.step_edges as e
   where e.from_step_uuid = tasker_test.the_step('top')
     and e.to_step_uuid = tasker_test.the_step('bottom')
  $$,
  $$ values ('provides', null::text) $$,
  'and means the usual name and no condition'
);

select * from finish();
rollback;
