begin;
select plan(23);

select tasker_test.freeze();
create role tap_bound in role tasker_worker;
select tasker.register_task_template('{"namespace": "shop", "name": "pair", "steps": [{"name": "a"}, {"name": "b"}]}');
select tasker.register_task_template('{"namespace": "bank", "name": "pair", "steps": [{"name": "c"}, {"name": "d"}]}');
select c.task_uuid as shop from tasker.create_task('shop', 'pair', '{}') as c \gset
select c.task_uuid as bank from tasker.create_task('bank', 'pair', '{}') as c \gset
select is(tasker.bind_role('tap_bound', '{shop,shop}'), 1, 'a role is bound to one namespace');
select set_config('tasker_test.task', :'bank', true);
select from tasker.claim_step(tasker_test.the_step('c'), tasker_test.worker(9));
select tasker_test.remember_rows();

set local role tap_bound;
select throws_ok(
  $$ select tasker.claim_steps('{shop,bank}', gen_random_uuid()) $$, 'TK403', 'role "tap_bound" may not work in namespace "bank"', 'claim_steps refuses another namespace'
);
select throws_ok(
  $$ select tasker.claim_step(tasker_test.the_step('d'), gen_random_uuid()) $$, 'TK403', 'role "tap_bound" may not work in namespace "bank"', 'claim_step refuses a step of another namespace'
);
select throws_ok(
  $$ select tasker.complete_steps(array[tasker_test.the_step('c')], '{1}') $$, 'TK403', 'role "tap_bound" may not work in namespace "bank"', 'complete_steps refuses a step of another namespace'
);
select throws_ok(
  $$ select tasker.fail_steps(array[tasker_test.the_step('c')], '{1}', '{no}') $$, 'TK403', 'role "tap_bound" may not work in namespace "bank"', 'fail_steps refuses a step of another namespace'
);
select throws_ok(
  $$ select tasker.exchange_steps(gen_random_uuid(), array[tasker_test.the_step('c')], '{1}') $$, 'TK403', 'role "tap_bound" may not work in namespace "bank"', 'exchange_steps refuses results of another namespace'
);
select throws_ok(
  $$ select tasker.exchange_steps(gen_random_uuid(), p_namespaces => '{bank}', p_limit => 1) $$, 'TK403', 'role "tap_bound" may not work in namespace "bank"', 'exchange_steps refuses claims of another namespace'
);
select throws_ok(
  $$ select tasker.extend_leases(array[tasker_test.the_step('c')], '{1}') $$, 'TK403', 'role "tap_bound" may not work in namespace "bank"', 'extend_leases refuses a step of another namespace'
);
select throws_ok(
  $$ select tasker.checkpoint_step(tasker_test.the_step('c'), 1, '{}') $$, 'TK403', 'role "tap_bound" may not work in namespace "bank"', 'checkpoint_step refuses a step of another namespace'
);
select throws_ok(
  $$ select tasker.release_steps(array[tasker_test.the_step('c')], '{1}') $$, 'TK403', 'role "tap_bound" may not work in namespace "bank"', 'release_steps refuses a step of another namespace'
);
select throws_ok(
  $$ select tasker.get_parent_results(tasker_test.the_step('c')) $$, 'TK403', 'role "tap_bound" may not work in namespace "bank"', 'get_parent_results refuses a step of another namespace'
);
select throws_ok(
  $$ select tasker.next_due_at('{bank}') $$, 'TK403', 'role "tap_bound" may not work in namespace "bank"', 'next_due_at refuses another namespace'
);
select throws_ok(
  $$ select tasker.register_worker(gen_random_uuid(), 'a', '{bank}') $$, 'TK403', 'role "tap_bound" may not work in namespace "bank"', 'register_worker refuses another namespace'
);
reset role;
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

set local role tap_bound;
select set_eq('select c.name from tasker.claim_steps(null, tasker_test.worker(), 10) as c', array['a', 'b'], 'null claims from all namespaces of the role');
select set_config('tasker_test.task', :'shop', true);
select is((select a.answer::text from tasker.complete_steps(array[tasker_test.the_step('a')], '{1}') as a), 'completed', 'the role completes a step of its namespace');
select is((select a.answer::text from tasker.complete_steps('{01980000-0000-7000-8000-000000000001}', '{1}') as a), 'not_found', 'an unknown step has the answer not_found');
reset role;

select is(tasker.bind_role('tap_bound', '{bank,shop}'), 2, 'the role is bound to two namespaces');
select is(tasker_test.call_as('tap_bound', $$ select c.name from tasker.claim_steps('{bank}', tasker_test.worker(), 10) as c $$), 'd', 'the role claims from the second namespace');
select is(tasker.bind_role('tap_bound', '{bank}'), 1, 'a new binding replaces the former one');
select throws_ok($$ select tasker_test.call_as('tap_bound', 'select tasker.next_due_at(''{shop}'')') $$, 'TK403', 'role "tap_bound" may not work in namespace "shop"', 'the role may no longer work in the first namespace');
select is(tasker.bind_role('tap_bound', null), 0, 'null removes the binding');
select lives_ok($$ select tasker_test.call_as('tap_bound', 'select tasker.next_due_at(''{shop,bank}'')') $$, 'a role without a binding may work in all namespaces');

select * from finish();
rollback;
