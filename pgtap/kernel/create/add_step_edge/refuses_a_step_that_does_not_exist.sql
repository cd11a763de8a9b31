begin;
select plan(4);

select tasker_test.make_task();

select throws_ok(
  $$ select tasker.add_step_edge(tasker.step_uuid(tasker_test.the_task(), 9), tasker_test.the_step('left')) $$,
  'TK404', format('step %s does not exist', tasker.step_uuid(tasker_test.the_task(), 9)),
  'an unknown parent is refused'
);
select throws_ok(
  $$ select tasker.add_step_edge(tasker_test.the_step('left'), tasker.step_uuid(tasker_test.the_task(), 9)) $$,
  'TK404', format('step %s does not exist', tasker.step_uuid(tasker_test.the_task(), 9)),
  'an unknown child is refused'
);
select throws_ok(
  $$ select tasker.add_step_edge(tasker_test.the_task(), tasker_test.the_step('left')) $$,
  'TK404', format('step %s does not exist', tasker_test.the_task()),
  'the task''s UUID is refused as a parent'
);
select throws_ok(
  $$ select tasker.add_step_edge(tasker_test.the_step('left'), tasker_test.the_task()) $$,
  'TK404', format('step %s does not exist', tasker_test.the_task()),
  'the task''s UUID is refused as a child'
);

select * from finish();
rollback;
