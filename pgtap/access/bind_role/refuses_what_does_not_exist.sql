begin;
select plan(7);

select tasker_test.take_turn();
select tasker.register_namespace('shop');
create role tap_bound;
select tasker.bind_role('tap_bound', '{shop}');
select tasker_test.remember_rows();
select throws_ok($$ select tasker.bind_role('tap_nobody', '{shop}') $$, 'TK404', 'role "tap_nobody" does not exist', 'no such role');
select throws_ok($$ select tasker.bind_role(null, '{shop}') $$, 'TK404', 'role null does not exist', 'null');
select throws_ok($$ select tasker.bind_role('tap_bound"; drop role tap_bound --', '{shop}') $$, 'TK404', 'role "tap_bound"; drop role tap_bound --" does not exist', 'hostile text is text');
select throws_ok($$ select tasker.bind_role('tap_bound', '{shop,nowhere}') $$, 'TK404', 'namespace "nowhere" does not exist', 'no such namespace');
select throws_ok($$ select tasker.bind_role('tap_bound', array[null]) $$, 'TK404', 'namespace null does not exist', 'null');
select is_empty('select tasker_test.changed_tables()', 'no table is changed');
select is(tasker.bind_role('tap_bound', '{}'), 0, 'none frees it');

select * from finish();
rollback;
