-- A worker that names its handlers pays for the groups of the queue that there are, not for their rows.
begin;
select plan(1);

select tasker_test.freeze();
select tasker.register_task_template(jsonb_build_object('namespace', 'test', 'name', 'many', 'identity_strategy', 'always_unique', 'steps',
  (select jsonb_agg(jsonb_build_object('name', 'h' || n)) from generate_series(1, 100) as n)
));
select from tasker.create_task('test', 'many', '{}');
select from tasker.claim_steps('{test}', tasker_test.worker(), 1, null, '{h7}');
select from tasker.create_task('test', 'many', '{}');
select tasker_test.buffers($$ select from tasker.claim_steps('{test}', tasker_test.worker(), 1, null, '{h7}') $$) as before \gset
select from tasker.create_tasks('test', 'many', array_fill('{}'::jsonb, '{40}'));
select cmp_ok(
  tasker_test.buffers($$ select from tasker.claim_steps('{test}', tasker_test.worker(), 1, null, '{h7}') $$),
  '<', :before + 300::bigint, 'a claim reads no more beside forty times as many rows'
);

select * from finish();
rollback;
