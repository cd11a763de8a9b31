begin;
select plan(4);

select tasker_test.freeze();
select tasker.register_task_template(jsonb_build_object('namespace', 'test', 'name', 'chain', 'steps', (
  select jsonb_agg(jsonb_build_object('name', 's' || n, 'dependencies', case
      when n = 1 then '[]'
      when n = 2 then '[{"step": "s1", "when": "$.go == true"}]'
      else jsonb_build_array('s' || (n - 1))
    end) order by n)
    from generate_series(1, 400) as n
)));
select tasker_test.launch('chain');
select from tasker_test.claim();
select is(tasker_test.complete('s1'), 'completed', 'the first step completes without the value go');
select results_eq(
  'select s.state::text, count(*) from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() group by 1 order by 1',
  $$ values ('cancelled', 399::bigint), ('complete', 1) $$, 'all other steps are skipped'
);
select is(tasker_test.the_state(), 'complete', 'the task is complete');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
