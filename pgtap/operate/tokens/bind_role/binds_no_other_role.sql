begin;
select plan(3);

select tasker_test.freeze();
create role tap_bound in role tasker_worker;
create role tap_free in role tasker_worker;
select tasker.register_task_template('{"namespace": "shop", "name": "one", "steps": [{"name": "a"}]}');
select tasker.register_task_template('{"namespace": "bank", "name": "one", "steps": [{"name": "b"}]}');
select count(*) from unnest('{shop,bank}'::text[]) as u (name) cross join lateral tasker.create_tasks(u.name, 'one', '{"{}"}');
select tasker.bind_role('tap_bound', '{shop}');
select is(
  tasker_test.call_as('tap_bound', $$ select string_agg(c.name, ',') from tasker.claim_steps(null, tasker_test.worker(1), 10) as c $$), 'a', 'a bound role claims from its namespace only'
);
select is(
  tasker_test.call_as('tap_free', $$ select string_agg(c.name, ',') from tasker.claim_steps(null, tasker_test.worker(2), 10) as c $$), 'b', 'a role that is not bound claims from the other namespace'
);
select is(
  (select b.bound_by collate "C" from tasker.role_bindings as b where b.role = 'tap_bound'::regrole), session_user::text collate "C", 'the binding names the role that made it'
);

select * from finish();
rollback;
