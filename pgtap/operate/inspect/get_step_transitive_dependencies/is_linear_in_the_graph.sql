-- 36 diamonds on top of one another have 108 ancestors on 2^36 paths.
begin;
select plan(3);

select tasker_test.register('ladder', variadic array['s0'] || array(
  select unnest(array[format('l%s s%s', i, i - 1), format('r%s s%s', i, i - 1), format('s%s l%s r%s', i, i, i)])
    from generate_series(1, 36) as i
));
select tasker_test.make_task('ladder');
prepare ladder as
  select count(*), count(distinct d.workflow_step_uuid), max(d.distance)
    from tasker.get_step_transitive_dependencies(tasker_test.the_step('s36')) as d;
select results_eq('ladder', 'values (108::bigint, 108::bigint, 72)', 'each ancestor is returned once, however far away');
select performs_ok('ladder', 10000, 'the ancestors are found within ten seconds');
select throws_ok(
  $$ select tasker.get_step_transitive_dependencies(tasker.step_uuid(tasker_test.the_task(), 200)) $$,
  'TK404', format('step %s does not exist', tasker.step_uuid(tasker_test.the_task(), 200)), 'an unknown step is refused'
);

select * from finish();
rollback;
