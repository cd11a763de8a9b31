begin;
select plan(6);

select tasker_test.register('order', 'a', 'b a', 'c b', 'd a c', 'alone');
select tasker_test.make_task('order');

select is(tasker.calculate_step_depth(tasker_test.the_step('a')), 0, 'a root');
select is(tasker.calculate_step_depth(tasker_test.the_step('c')), 2, 'two below it');
select is(tasker.calculate_step_depth(tasker_test.the_step('d')), 3, 'the longer way counts');
select is(tasker.calculate_step_depth(tasker_test.the_step('alone')), 0, 'a step of its own');
select throws_ok(
  $$ select tasker.calculate_step_depth(tasker.step_uuid(tasker_test.the_task(), 6)) $$,
  'TK404', format('step %s does not exist', tasker.step_uuid(tasker_test.the_task(), 6)), 'no such step'
);
select throws_ok($$ select tasker.calculate_step_depth(null) $$, 'TK404', 'step null does not exist', 'null');

select * from finish();
rollback;
