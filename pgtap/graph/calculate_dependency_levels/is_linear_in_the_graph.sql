-- A ladder of 36 diamonds has 109 nodes and 2^36 paths; a chain has one level for each of its steps.
begin;
select plan(6);

select tasker_test.register('ladder', variadic array['s0'] || array(
  select unnest(array[format('l%s s%s', i, i - 1), format('r%s s%s', i, i - 1), format('s%s l%s r%s', i, i, i)])
    from generate_series(1, 36) as i
));
select tasker_test.make_task('ladder');
prepare ladder as select max(l.dependency_level), count(*) from tasker.calculate_dependency_levels(tasker_test.the_task()) as l;
select results_eq('ladder', 'values (72, 109::bigint)', 'the ladder is 72 levels high');
select performs_ok('ladder', 10000, 'and climbed at once');

select tasker_test.register('chain', variadic array['s0'] || array(select format('s%s s%s', i, i - 1) from generate_series(1, 999) as i));
select tasker_test.make_task('chain');
prepare chain as select max(l.dependency_level), count(*) from tasker.calculate_dependency_levels(tasker_test.the_task()) as l;
select results_eq('chain', 'values (999, 1000::bigint)', 'a chain of a thousand');
select performs_ok('chain', 10000, 'is no harder');
select is(tasker.calculate_step_depth(tasker_test.the_step('s999')), 999, 'its last step is as deep');
select is(
  (select count(*) from tasker.get_step_transitive_dependencies(tasker_test.the_step('s999'))), 999::bigint,
  'and has all others above it'
);

select * from finish();
rollback;
