begin;
select plan(10);

select tasker_test.subscribe();
select tasker_test.register('one', 'a');
select tasker.register_namespace('other');
create role tap_bound;
grant tasker_operator, tasker_orchestrator, tasker_reader to tap_bound;
select tasker.bind_role('tap_bound', '{test}');
select tasker.subscribe('others', '{"namespaces": ["other"]}');

set local role tap_bound;
select is((select s.namespaces from tasker.subscribe('test_mine') as s), '{test}', 'a filter without namespaces becomes the role''s namespaces');
select throws_ok($$ select tasker.subscribe('test_more', '{"namespaces": ["test", "other"]}') $$, 'TK403', 'role "tap_bound" may not work in namespace "other"', 'a namespace that the role is not bound to is refused');
select results_eq('select s.subscription from tasker.list_subscriptions() as s', $$ values ('test_mine') $$, 'list_subscriptions shows only the role''s subscriptions');
select throws_ok($$ select tasker_test.read(1, 'all') $$, 'TK403', 'a caller that is bound to namespaces may not use the name "all"', 'the role cannot read a subscription to all namespaces');
select throws_ok($$ select tasker_test.read(1, 'others') $$, 'TK403', 'a caller that is bound to namespaces may not use the name "others"', 'the role cannot read a subscription to another namespace');
select throws_ok($$ select tasker.unsubscribe('others') $$, 'TK403', 'a caller that is bound to namespaces may not use the name "others"', 'the role cannot drop a subscription to another namespace');
select throws_ok($$ select tasker.subscribe('others', '{"namespaces": ["test"]}') $$, 'TK403', 'a caller that is bound to namespaces may not use the name "others"', 'the role cannot change a subscription to another namespace');
select throws_ok($$ select tasker.replay_events('all', '2026-03-01 11:00+00') $$, 'TK403', 'a caller that is bound to namespaces may not use the name "all"', 'the role cannot replay a subscription to all namespaces');
select throws_ok($$ select tasker.list_dead_events('others') $$, 'TK403', 'a caller that is bound to namespaces may not use the name "others"', 'the role cannot list the dead events of another namespace');
select lives_ok($$ select tasker_test.read(1, 'test_mine') $$, 'the role reads its own subscription');
reset role;

select * from finish();
rollback;
