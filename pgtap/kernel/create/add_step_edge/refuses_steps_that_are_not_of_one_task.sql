begin;
select plan(5);

select tasker_test.make_task();
select set_config('test.other', tasker_test.the_step('top')::text, true);
select tasker_test.make_task();

select throws_ok(
  $$ select tasker.add_step_edge(current_setting('test.other')::uuid, tasker_test.the_step('left')) $$,
  'TK422', format('steps %s and %s belong to different tasks', current_setting('test.other'), tasker_test.the_step('left')),
  'a parent of another task is refused'
);
select throws_ok(
  $$ select tasker.add_step_edge(tasker_test.the_step('top'), current_setting('test.other')::uuid) $$,
  'TK422', format('steps %s and %s belong to different tasks', tasker_test.the_step('top'), current_setting('test.other')),
  'a child of another task is refused'
);
select throws_ok(
  $$ select tasker.add_step_edge(tasker_test.the_step('top'), null) $$,
  'TK422', format('steps %s and null belong to different tasks', tasker_test.the_step('top')),
  'a null child is refused'
);
select throws_ok(
  $$ select tasker.add_step_edge(null, tasker_test.the_step('top')) $$,
  'TK404', 'task null does not exist',
  'a null parent is refused'
);
select throws_ok(
  $$ select tasker.add_step_edge('6b6a3b0e-8f43-4a52-9a0c-3a1d9e5b0001', '6b6a3b0e-8f43-4a52-9a0c-3a1d9e5b0002') $$,
  'TK404', 'task 6b6a3b0e-8f43-4a52-9a0c-3a1d9e5b0000 does not exist',
  'steps of an unknown task are refused'
);

select * from finish();
rollback;
