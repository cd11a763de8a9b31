begin;
select plan(4);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "now", "name": "pair", "steps": [{"name": "a"}, {"name": "b", "dependencies": ["a"]}]}');
select tasker.register_task_template('{"namespace": "late", "name": "pair", "steps": [{"name": "a"}, {"name": "b", "dependencies": ["a"]}]}');
select tasker.register_namespace('late', p_result_mode => 'deferred');
select count(*) from unnest('{now,late}'::text[]) as u (name) cross join lateral tasker.create_tasks(u.name, 'pair', '{"{}"}');
create temporary table claimed as select c.* from tasker.claim_steps('{now,late}', tasker_test.worker(), 10) as c;
select results_eq(
  $$ select c.namespace, a.answer
       from (select array_agg(c.step_uuid) as s, array_agg(c.claim_no) as n from claimed as c) as x
      cross join lateral tasker.complete_steps(x.s, x.n) as a join claimed as c using (step_uuid) order by 1 $$,
  $$ values ('late', 'recorded'), ('now', 'completed') $$, 'each result of a call is treated as its namespace says'
);
select is(tasker.process_step_results(), 1, 'one result is left to the orchestrator');
select set_eq('select c.namespace, c.name from tasker.claim_steps(null, tasker_test.worker(), 10) as c', $$ values ('late', 'b'), ('now', 'b') $$, 'both tasks continue');
select is_empty('select v from claimed as c cross join lateral tasker_test.violations(c.task_uuid) as v', 'every invariant holds');

select * from finish();
rollback;
