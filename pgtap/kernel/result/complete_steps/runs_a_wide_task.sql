begin;
select plan(3);

select tasker_test.freeze();
select tasker.register_task_template(jsonb_build_object('namespace', 'test', 'name', 'wide', 'steps',
  jsonb_build_array(jsonb_build_object('name', 'root'))
  || (select jsonb_agg(jsonb_build_object('name', 's' || n, 'dependencies', '["root"]'::jsonb)) from generate_series(1, 1200) as n)
  || jsonb_build_object('name', 'end', 'dependencies', (select jsonb_agg('s' || n) from generate_series(1, 1200) as n))
));
select tasker_test.launch('wide');
select is(tasker_test.drain(), 1202::bigint, 'twelve hundred parallel steps run');
select is(tasker_test.the_state(), 'complete', 'the task completes with its join');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
