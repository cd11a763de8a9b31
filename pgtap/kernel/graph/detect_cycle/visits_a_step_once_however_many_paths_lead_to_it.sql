-- A ladder of forty diamonds has 121 steps, and 2^40 paths from one end to the other. The timeout stops a search
-- that follows each path.
begin;
select plan(3);

select tasker_test.register('ladder', variadic array['n0'] || (
  select array_agg(s.step order by d, s.position)
    from generate_series(1, 40) as d
   cross join lateral (values
     (1, format('l%s n%s', d, d - 1)),
     (2, format('r%s n%s', d, d - 1)),
     (3, format('n%1$s l%1$s r%1$s', d))
   ) as s (position, step)
));
select tasker_test.make_task('ladder');
set local statement_timeout = '10s';

select is(
  (select count(*) from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task()),
  121::bigint,
  'the ladder has 121 steps'
);
select ok(
  tasker.detect_cycle(tasker_test.the_step('n40'), tasker_test.the_step('n0')),
  'an edge from the last step to the first closes a cycle'
);
select ok(
  not tasker.detect_cycle(tasker_test.the_step('n0'), tasker_test.the_step('n40')),
  'an edge from the first step to the last closes no cycle'
);

select * from finish();
rollback;
