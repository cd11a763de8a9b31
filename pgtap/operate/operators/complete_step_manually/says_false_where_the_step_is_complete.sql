begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select tasker.complete_step_manually(tasker_test.the_step('left'), '{"by": "ann"}', 'done', 'ann');

select tasker_test.remember_rows();
select is(tasker.complete_step_manually(tasker_test.the_step('top'), '{}'), false, 'a step that its worker completed returns false');
select is(tasker.complete_step_manually(tasker_test.the_step('left'), '{"by": "ann"}'), false, 'a step that an operator completed returns false');
select is(tasker.complete_step_manually(tasker_test.the_step('left'), null), false, 'so does a completion without results');
select throws_ok(
  format($$ select tasker.complete_step_manually(%L, '{"by": "bob"}') $$, s.step), 'TK409', format('step %s is complete with another result', s.step),
  format('another result of "%s" is refused', s.name)
)
  from (values ('top', tasker_test.the_step('top')), ('left', tasker_test.the_step('left'))) as s (name, step);
select is_empty('select tasker_test.changed_tables()', 'the results are unchanged');

select * from finish();
rollback;
