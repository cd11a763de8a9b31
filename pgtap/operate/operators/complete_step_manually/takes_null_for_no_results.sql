begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.create_task();

select ok(tasker.complete_step_manually(tasker_test.the_step('top'), null), 'null is accepted as a result');
select is(
  (select s.results is null from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('top')), true,
  'the step has no result, as if its worker had given none'
);
select ok(tasker.complete_step_manually(tasker_test.the_step('left'), '[1, "two"]'), 'a JSON array is accepted as a result');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
