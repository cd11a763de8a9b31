begin;
select plan(5);

select tasker_test.register('long', 'a', 'b a', 'c b', 'd c', 'e d');
select tasker_test.make_task('long');

prepare refused (text, text) as
  select tasker.add_step_edge(tasker_test.the_step($1), tasker_test.the_step($2));

select throws_ok(
  $$ execute refused ('a', 'a') $$,
  'TK409', format('an edge from step %1$s to step %1$s would close a cycle', tasker_test.the_step('a')),
  'a step cannot depend on itself'
);
select throws_ok(
  $$ execute refused ('b', 'a') $$,
  'TK409',
  format('an edge from step %s to step %s would close a cycle', tasker_test.the_step('b'), tasker_test.the_step('a')),
  'two steps cannot depend on each other'
);
select throws_ok(
  $$ execute refused ('e', 'a') $$,
  'TK409',
  format('an edge from step %s to step %s would close a cycle', tasker_test.the_step('e'), tasker_test.the_step('a')),
  'a longer cycle is refused'
);
select is(
  (select count(*) from tasker.step_edges as e where e.task_uuid = tasker_test.the_task()), 4::bigint,
  'no edge is added'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
