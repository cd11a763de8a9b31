begin;
select plan(4);

-- Each step is skipped because the one before it was: one result settles all, level by level.
select tasker_test.freeze();
select from tasker.register_task_template(jsonb_build_object(
  'namespace', 'test', 'name', 'long', 'identity_strategy', 'always_unique',
  'steps', jsonb_build_array('{"name": "s0"}'::jsonb, '{"name": "s1", "dependencies": [{"step": "s0", "when": "$.go == true"}]}'::jsonb) || (
    select jsonb_agg(jsonb_build_object('name', 's' || i, 'dependencies', array['s' || i - 1]) order by i) from generate_series(2, 4000) as i
  )
));
select set_config('tasker_test.task', (select c.task_uuid::text from tasker.create_task('test', 'long') as c), true);
select tasker_test.claim('s0');
select is(tasker_test.finish('s0', '{"go": false}'), 'completed', 'the result is recorded');
select results_eq(
  $$ select s.state::text as state, count(*) from tasker.workflow_steps as s group by 1 order by 1 $$, $$ values ('cancelled', 4000::bigint), ('complete', 1) $$, '4,000 steps are skipped'
);
select is((select t.state::text from tasker.tasks as t), 'complete', 'the task is complete');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
