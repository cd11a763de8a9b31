begin;
select plan(5);

select tasker_test.freeze();
select tasker.register_namespace('shop');
select tasker.register_namespace('bank');
select tasker_test.register('one', 'a');
create role tap_bank login in role tasker_worker;
create role tap_later login in role tasker_worker;
create role tap_shop login in role tasker_operator;
select tasker.bind_role('tap_bank', '{bank,test}');
select tasker.bind_role('tap_shop', '{shop}');

select tasker.register_worker(tasker_test.worker(1), 'all');
select tasker.register_worker(tasker_test.worker(2), 'both', '{bank,shop}');
select tasker.register_worker(tasker_test.worker(3), 'bank only', '{bank}');
set session authorization tap_bank;
select tasker.register_worker(tasker_test.worker(4), 'all that its login may');
reset session authorization;
select tasker_test.create_task('one');
set session authorization tap_bank;
select count(*) from tasker.claim_steps(null, tasker_test.worker(5));
set session authorization tap_later;
select tasker.register_worker(tasker_test.worker(6), 'bound later');
reset session authorization;
set local tasker.namespaces = 'bank';
select tasker.register_worker(tasker_test.worker(7), 'of a token');
set local tasker.namespaces = '*';
select tasker.bind_role('tap_later', '{bank}');
select is((select count(*) from tasker.list_workers()), 7::bigint, 'an unbound caller sees all workers');
set session authorization tap_shop;
select results_eq(
  $$ select w.name, w.namespaces from tasker.list_workers() as w order by w.name $$,
  $$ values ('all', '{}'::text[]), ('both', '{shop}') $$,
  'a bound caller sees the workers that may serve its namespaces, and of their namespaces its own'
);
reset session authorization;
alter role tap_bank rename to tap_renamed;
create role tap_bank login in role tasker_worker;
set session authorization tap_shop;
select is((select count(*) from tasker.list_workers()), 2::bigint, 'a new role of the old name shows no worker');
reset session authorization;
drop role tap_bank;
set session authorization tap_shop;
select is((select count(*) from tasker.list_workers()), 2::bigint, 'nor does a role that is gone');
set local tasker.namespaces = '-';
select is_empty($$ select from tasker.list_workers() as w where cardinality(w.namespaces) > 0 $$, 'a session that is kept to no namespace sees none that names some');

select * from finish();
rollback;
