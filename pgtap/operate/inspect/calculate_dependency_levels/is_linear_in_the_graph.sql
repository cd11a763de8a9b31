-- A ladder of 36 diamonds has 109 steps and 2^36 paths. In a chain each step has a level of its own.
begin;
select plan(6);

select tasker_test.register('ladder', variadic array['s0'] || array(
  select unnest(array[format('l%s s%s', i, i - 1), format('r%s s%s', i, i - 1), format('s%s l%s r%s', i, i, i)])
    from generate_series(1, 36) as i
));
select tasker_test.make_task('ladder');
prepare ladder as select max(l.dependency_level), count(*) from tasker.calculate_dependency_levels(tasker_test.the_task()) as l;
select results_eq('ladder', 'values (72, 109::bigint)', 'the ladder has levels up to 72');
select performs_ok('ladder', 10000, 'its levels are computed within ten seconds');

select tasker_test.register('chain', variadic array['s0'] || array(select format('s%s s%s', i, i - 1) from generate_series(1, 999) as i));
select tasker_test.make_task('chain');
prepare chain as select max(l.dependency_level), count(*) from tasker.calculate_dependency_levels(tasker_test.the_task()) as l;
select results_eq('chain', 'values (999, 1000::bigint)', 'a chain of a thousand steps has levels up to 999');
select performs_ok('chain', 10000, 'its levels are computed within ten seconds');
select is(tasker.calculate_step_depth(tasker_test.the_step('s999')), 999, 'calculate_step_depth returns the level of the last step');
select is(
  (select count(*) from tasker.get_step_transitive_dependencies(tasker_test.the_step('s999'))), 999::bigint,
  'get_step_transitive_dependencies returns all steps above the last one'
);

select * from finish();
rollback;
