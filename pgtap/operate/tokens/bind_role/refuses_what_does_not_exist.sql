begin;
select plan(7);

select tasker_test.take_turn();
select tasker.register_namespace('shop');
create role tap_bound;
select tasker.bind_role('tap_bound', '{shop}');
select tasker_test.remember_rows();
select throws_ok($$ select tasker.bind_role('tap_nobody', '{shop}') $$, 'TK404', 'role "tap_nobody" does not exist', 'an unknown role is refused');
select throws_ok($$ select tasker.bind_role(null, '{shop}') $$, 'TK404', 'role null does not exist', 'a null role is refused');
select throws_ok($$ select tasker.bind_role('tap_bound"; drop role tap_bound --', '{shop}') $$, 'TK404', 'role "tap_bound"; drop role tap_bound --" does not exist', 'a hostile role name is refused');
select throws_ok($$ select tasker.bind_role('tap_bound', '{shop,nowhere}') $$, 'TK404', 'namespace "nowhere" does not exist', 'an unknown namespace is refused');
select throws_ok($$ select tasker.bind_role('tap_bound', array[null]) $$, 'TK404', 'namespace null does not exist', 'a null namespace is refused');
select is_empty('select tasker_test.changed_tables()', 'no table is changed');
select is(tasker.bind_role('tap_bound', '{}'), 0, 'an empty array removes the binding');

select * from finish();
rollback;
