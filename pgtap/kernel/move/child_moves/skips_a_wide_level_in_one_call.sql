begin;
select plan(5);

select tasker_test.freeze();
select tasker.register_task_template(jsonb_build_object('namespace', 'test', 'name', 'wide', 'steps',
  jsonb_build_array(jsonb_build_object('name', 'root'))
  || (select jsonb_agg(jsonb_build_object('name', 's' || n, 'dependencies', '[{"step": "root", "when": "$.go == true"}]'::jsonb)) from generate_series(1, 1000) as n)
  || jsonb_build_object('name', 'end', 'join', 'settled', 'dependencies', (select jsonb_agg('s' || n) from generate_series(1, 1000) as n))
));
select tasker_test.launch('wide');
select from tasker_test.claim();
select is(tasker_test.complete('root'), 'completed', 'the root completes without the value go');
select results_eq(
  'select s.state::text, count(*) from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() group by 1 order by 1',
  $$ values ('cancelled', 1000::bigint), ('complete', 1), ('enqueued', 1) $$, 'a thousand steps are skipped, and their common child is enqueued'
);
select is((select c.parent_results from tasker_test.claim() as c), '{}'::jsonb, 'the child has no parent results');
select tasker_test.complete('end');
select is(tasker_test.the_state(), 'complete', 'the task is complete');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
