begin;
select plan(6);

select tasker_test.make_task();

select ok(tasker.detect_cycle(tasker_test.the_step('top'), tasker_test.the_step('top')), 'an edge from a step to itself closes a cycle');
select ok(
  tasker.detect_cycle(tasker_test.the_step('left'), tasker_test.the_step('top')),
  'the reverse of an edge closes a cycle'
);
select ok(
  tasker.detect_cycle(tasker_test.the_step('bottom'), tasker_test.the_step('top')),
  'the reverse of a path closes a cycle'
);

select ok(not tasker.detect_cycle(tasker_test.the_step('left'), tasker_test.the_step('right')), 'an edge between steps without a path closes no cycle');
select ok(
  not tasker.detect_cycle(tasker_test.the_step('top'), tasker_test.the_step('bottom')),
  'an edge that shortens a path closes no cycle'
);
select ok(
  not tasker.detect_cycle(tasker_test.the_step('top'), tasker_test.the_step('left')),
  'an existing edge closes no cycle'
);

select * from finish();
rollback;
