begin;
select plan(2);

select tasker_test.take_turn();
select tasker_test.freeze('2026-11-22 12:00:00+00');
select from tasker.register_task_template('{"namespace": "bank", "name": "pay", "identity_strategy": "always_unique", "steps": [{"name": "kid", "task": {"name": "leaf"}}]}');
select from tasker.register_task_template('{"namespace": "bank", "name": "leaf", "identity_strategy": "always_unique", "steps": [{"name": "a"}]}');
select from tasker.register_task_template('{"namespace": "shop", "name": "order", "identity_strategy": "always_unique", "steps": [{"name": "pay", "task": {"namespace": "bank", "name": "pay"}}]}');
select from tasker.set_schedule('shop', 'often', 'order', p_every_seconds => 60);
create role tap_shop login;
grant tasker_worker to tap_shop;
select tasker.bind_role('tap_shop', '{shop}');

-- The tick is fired by a worker that may not work in the other namespace.
select tasker_test.pass('61 seconds');
set session authorization tap_shop;
select count(*) from tasker.claim_steps('{shop}', gen_random_uuid(), 1);
reset session authorization;
select tasker.fire_due_timers() from generate_series(1, 3);
select is(
  (select string_agg(n.name, ' ') from tasker.tasks as t, tasker.get_task_tree(t.task_uuid) as n where t.depth = 0 and t.source_system = 'schedule'),
  'order pay leaf', 'tasks of a schedule start tasks in any namespace, at every level'
);
select results_eq(
  'select t.depth, t.login from tasker.tasks as t where t.depth > 0 order by t.depth', 'values (1, null::text), (2, null)', 'tasks that they start have no login'
);

select * from finish();
rollback;
