begin;
select plan(19);

select tasker_test.freeze();
select tasker_test.take_turn();
select from tasker.register_task_template('{"namespace": "test", "name": "bill", "identity_strategy": "always_unique", "steps": [
  {"name": "first"},
  {"name": "charge", "dependencies": ["first"], "limit": "tenant", "limit_key": "$.customer", "limit_bound": "$.plan.places", "limit_bound_max": 4}
]}');
create function pg_temp.create_bill(p_customer text, p_places jsonb, p_count integer default 1) returns void language sql as $$
  select from tasker.create_tasks('test', 'bill', array_fill(jsonb_build_object('customer', p_customer, 'plan', jsonb_build_object('places', p_places)), array[p_count]))
$$;
create function pg_temp.run_first() returns void language sql as $$
  select from (select array_agg(c.step_uuid) as steps, array_agg(c.claim_no) as claims from tasker.claim_steps('{test}', gen_random_uuid(), 100, p_handlers => '{first}') as c) as c
   cross join lateral tasker.complete_steps(c.steps, c.claims)
$$;
create function pg_temp.started() returns bigint language sql as $$
  select count(*) from tasker.claim_steps('{test}', gen_random_uuid(), 100, p_handlers => '{charge}')
$$;
create function pg_temp.bound(p_key text) returns integer language sql as $$
  select i.concurrency from tasker.limit_input_bounds as i where i.limit_key = p_key
$$;

select tasker.set_limit('test', 'tenant', 1);
select pg_temp.create_bill('a', '2', 10);
select is(pg_temp.bound('a'), 2, 'creation sets the bound, before the step is ready');
select pg_temp.run_first();
select is(pg_temp.started(), 2::bigint, 'the key has the bound of the input in place of the bound of the limit');
select results_eq(
  $$ select k.limit_key, k.concurrency, k.own_bounds, k.bounded_by, k.input_bound, k.in_use from tasker.list_limit_keys('test', 'tenant') as k $$,
  $$ values ('a', 2, false, null, 2, 2::bigint) $$, 'the list of keys shows where the bound comes from'
);
select alike(
  (select tasker.explain_limit(q.task_uuid, q.step_no) from tasker.step_queue as q where q.lane = 'limited' limit 1),
  'It waits for limit "tenant", key "a": 2 of 2 in use, % before it.', 'the explanation names the bound of the input'
);
select pg_temp.create_bill('b', 'null', 3);
select is(pg_temp.bound('b'), null, 'a task without a value sets none');
select pg_temp.run_first();
select is(pg_temp.started(), 1::bigint, 'its key has the bound of the limit');

select pg_temp.create_bill('a', '3');
select is(pg_temp.bound('a'), 3, 'a newer task sets another bound, and the older row is gone');
select is(pg_temp.started(), 1::bigint, 'a raised bound opens the line');
select pg_temp.create_bill('a', '1');
select is(pg_temp.bound('a'), 1, 'the newest task wins, not the largest bound');
select pg_temp.create_bill('a', 'null');
select is(pg_temp.bound('a'), 1, 'a task without a value keeps the bound');
select pg_temp.create_bill('a', '1000000000000');
select is(pg_temp.bound('a'), 4, 'no task bounds its key above the maximum of the template');
select is(pg_temp.started(), 1::bigint, 'and the key has the maximum');
select from tasker.create_tasks('test', 'bill', array['{"customer": "a", "plan": {"places": 2}}', '{"customer": "c", "plan": {"places": 3}}', '{"customer": "a", "plan": {"places": 4}}']::jsonb[]);
select results_eq(
  'select i.limit_key, i.concurrency from tasker.limit_input_bounds as i order by i.limit_key', $$ values ('a', 4), ('c', 3) $$, 'the last task of a set wins'
);

select tasker.set_limit_key('test', 'tenant', 'a', 5);
select is(pg_temp.started(), 1::bigint, 'bounds of an operator win');
select pg_temp.create_bill('a', '1');
select results_eq(
  $$ select k.concurrency, k.own_bounds, k.input_bound from tasker.list_limit_keys('test', 'tenant') as k where k.limit_key = 'a' $$, $$ values (5, true, 1) $$,
  'also over a newer task'
);
select tasker.drop_limit_key('test', 'tenant', 'a');
select is((select k.concurrency from tasker.list_limit_keys('test', 'tenant') as k where k.limit_key = 'a'), 1, 'without them the bound of the input holds again');
select tasker.set_limit('test', 'tenant', 0);
select is((select k.concurrency from tasker.list_limit_keys('test', 'tenant') as k where k.limit_key = 'a'), 0, 'a limit of 0 stops the key');
select tasker.drop_limit('test', 'tenant');
select is((select count(*) from tasker.limit_input_bounds), 0::bigint, 'drop_limit deletes the bounds of inputs');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
