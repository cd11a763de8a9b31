begin;
select plan(3);

select tasker_test.take_turn();
select from tasker.register_task_template('{"namespace": "test", "name": "parcel", "identity_strategy": "always_unique", "steps": [{"name": "pack"}]}');
select from tasker.register_task_template('{"namespace": "test", "name": "order", "identity_strategy": "always_unique", "steps": [
  {"name": "ship", "task": {"name": "parcel"}}, {"name": "bill", "dependencies": ["ship"]}
]}');
select from tasker.create_tasks('test', 'order', array_fill('{}'::jsonb, '{2}'));
select tasker.fire_due_timers();
create temporary table claimed as select c.* from tasker.claim_steps('{test}', tasker_test.worker(), 10) as c;
select results_eq(
  $$ select a.answer::text from (select array_agg(c.step_uuid) as steps, array_agg(c.claim_no) as claims from claimed as c) as c
      cross join lateral tasker.complete_steps(c.steps, c.claims) as a $$,
  array['completed', 'completed'], 'two children complete in one call'
);
select is((select count(*) from tasker.claim_steps('{test}', tasker_test.worker(), 10) as c where c.name = 'bill'), 2::bigint, 'both parents go on');
select is_empty('select v from tasker.tasks as t cross join lateral tasker_test.violations(t.task_uuid) as v', 'every invariant holds');

select * from finish();
rollback;
