begin;
select plan(4);

select tasker_test.register('chain', variadic (
  select array_agg(case when n = 1 then 's1' else format('s%s s%s', n, n - 1) end order by n)
    from generate_series(1, 1000) as n
));
select tasker_test.make_task('chain');

select ok(tasker.detect_cycle(tasker_test.the_step('s1000'), tasker_test.the_step('s1')), 'from the last to the first');
select ok(
  tasker.detect_cycle(tasker_test.the_step('s1000'), tasker_test.the_step('s999')),
  'from the last to the one before'
);
select ok(
  not tasker.detect_cycle(tasker_test.the_step('s1'), tasker_test.the_step('s1000')),
  'not from the first to the last'
);
select ok(not tasker.detect_cycle(tasker_test.the_step('s500'), tasker_test.the_step('s501')), 'nor in the middle');

select * from finish();
rollback;
