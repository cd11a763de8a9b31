begin;
select plan(3);

select tasker_test.freeze();
select tasker.register_task_template(jsonb_build_object('namespace', 'test', 'name', 'chain', 'steps', (
  select jsonb_agg(jsonb_build_object('name', 's' || n, 'dependencies', case when n > 1 then jsonb_build_array('s' || (n - 1)) else '[]' end) order by n)
    from generate_series(1, 150) as n
)));
select tasker_test.launch('chain');
select is(tasker_test.drain(), 150::bigint, 'the steps run one after the other');
select is(tasker_test.the_state(), 'complete', 'the task completes');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
