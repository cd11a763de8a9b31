begin;
select plan(4);

select tasker_test.make_task();
select set_config('test.other', tasker_test.the_step('top')::text, true);
select tasker_test.make_task();

select throws_ok(
  $$ select tasker.detect_cycle(tasker_test.the_step('top'), current_setting('test.other')::uuid) $$,
  'TK422', format('steps %s and %s belong to different tasks', tasker_test.the_step('top'), current_setting('test.other')),
  'a step of another task is refused'
);
select throws_ok(
  $$ select tasker.detect_cycle(null, tasker_test.the_step('top')) $$,
  'TK422', format('steps null and %s belong to different tasks', tasker_test.the_step('top')),
  'a null first step is refused'
);
select throws_ok(
  $$ select tasker.detect_cycle(tasker_test.the_step('top'), null) $$,
  'TK422', format('steps %s and null belong to different tasks', tasker_test.the_step('top')),
  'a null second step is refused'
);
select throws_ok(
  'select tasker.detect_cycle(null, null)',
  'TK422', 'steps null and null belong to different tasks',
  'two null steps are refused'
);

select * from finish();
rollback;
