begin;
select plan(6);

select tasker_test.register('order', 'a', 'b a', 'c b', 'd a c', 'alone');
select tasker_test.make_task('order');

select is(tasker.calculate_step_depth(tasker_test.the_step('a')), 0, 'a root has depth 0');
select is(tasker.calculate_step_depth(tasker_test.the_step('c')), 2, 'a step two below a root has depth 2');
select is(tasker.calculate_step_depth(tasker_test.the_step('d')), 3, 'the longest path counts');
select is(tasker.calculate_step_depth(tasker_test.the_step('alone')), 0, 'a step without edges has depth 0');
select throws_ok(
  $$ select tasker.calculate_step_depth(tasker.step_uuid(tasker_test.the_task(), 6)) $$,
  'TK404', format('step %s does not exist', tasker.step_uuid(tasker_test.the_task(), 6)), 'an unknown step is refused'
);
select throws_ok($$ select tasker.calculate_step_depth(null) $$, 'TK404', 'step null does not exist', 'a null step is refused');

select * from finish();
rollback;
