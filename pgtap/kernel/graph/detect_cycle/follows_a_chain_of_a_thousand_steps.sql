begin;
select plan(4);

select tasker_test.register('chain', variadic (
  select array_agg(case when n = 1 then 's1' else format('s%s s%s', n, n - 1) end order by n)
    from generate_series(1, 1000) as n
));
select tasker_test.make_task('chain');

select ok(tasker.detect_cycle(tasker_test.the_step('s1000'), tasker_test.the_step('s1')), 'an edge from the last step to the first closes a cycle');
select ok(
  tasker.detect_cycle(tasker_test.the_step('s1000'), tasker_test.the_step('s999')),
  'an edge from the last step to the one before closes a cycle'
);
select ok(
  not tasker.detect_cycle(tasker_test.the_step('s1'), tasker_test.the_step('s1000')),
  'an edge from the first step to the last closes no cycle'
);
select ok(not tasker.detect_cycle(tasker_test.the_step('s500'), tasker_test.the_step('s501')), 'an existing edge in the middle closes no cycle');

select * from finish();
rollback;
