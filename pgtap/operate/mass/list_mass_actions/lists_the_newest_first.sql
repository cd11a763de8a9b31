begin;
select plan(5);

select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker_test.fail_orders(2);
select selection_uuid as first from tasker.create_selection('tasks', '{"state": "blocked_by_failures"}') \gset
select tasker_test.pass('1 second');
select selection_uuid as second from tasker.create_selection('tasks', '{"name": "order"}') \gset
select tasker.start_mass_action(:'first', 'reset', 2, 'test');
select tasker.start_mass_action(:'second', 'cancel', 2, 'test', p_at_once => true);
select tasker.stop_mass_action(:'first');
select tasker_test.mass();

select results_eq($$ select m.action, m.state from tasker.list_mass_actions() as m $$, $$ values ('cancel', 'done'), ('reset', 'stopped') $$, 'the newest selection is the first');
select results_eq(format($$ select m.action from tasker.list_mass_actions(p_before => %L) as m $$, :'second'), $$ values ('reset') $$, 'they come in pages');
select results_eq($$ select m.action from tasker.list_mass_actions('done') as m $$, $$ values ('cancel') $$, 'those of a state');
select results_eq(format($$ select g.action from tasker.get_selection(%L) as g $$, :'first'), $$ values ('reset') $$, 'a selection says which action it has');
select throws_ok($$ select tasker.list_mass_actions('over') $$, 'TK422', 'a mass action has no state "over"', 'an unknown state is refused');

select * from finish();
rollback;
