begin;
select plan(6);

select tasker_test.make_task();

select ok(tasker.detect_cycle(tasker_test.the_step('top'), tasker_test.the_step('top')), 'from a step to itself');
select ok(
  tasker.detect_cycle(tasker_test.the_step('left'), tasker_test.the_step('top')),
  'the other way along an edge'
);
select ok(
  tasker.detect_cycle(tasker_test.the_step('bottom'), tasker_test.the_step('top')),
  'the other way along a path'
);

select ok(not tasker.detect_cycle(tasker_test.the_step('left'), tasker_test.the_step('right')), 'not between brothers');
select ok(
  not tasker.detect_cycle(tasker_test.the_step('top'), tasker_test.the_step('bottom')),
  'not along a path, which it shortens'
);
select ok(
  not tasker.detect_cycle(tasker_test.the_step('top'), tasker_test.the_step('left')),
  'not where an edge already is'
);

select * from finish();
rollback;
