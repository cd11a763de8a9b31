begin;
select plan(9);

select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker_test.fail_orders(5);
select selection_uuid as set from tasker.create_selection('tasks', '{"state": "blocked_by_failures"}') \gset
select tasker.start_mass_action(:'set', 'reset', 5, 'the bank is open', p_at_once => true, p_per_minute => 60);
select tasker_test.mass();

select is(tasker.stop_mass_action(:'set', 'wrong set', 'eve'), true, 'it is stopped');
select is(tasker.stop_mass_action(:'set', 'wrong set', 'eve'), false, 'once');
select tasker_test.pass('1 hour');
select is(tasker_test.mass(), 'stopped, stage 3: 4 wait, 1 open, 0 passed, 0 failed, 0 skipped', 'nothing more is done');
select results_eq($$ select m.stopped_by, m.stopped_why, m.ended_at from tasker.list_mass_actions('stopped') as m $$, $$ values ('eve', 'wrong set', null::timestamptz) $$, 'it says who stopped it and why');
select results_eq($$ select a.actor, a.reason from tasker.list_administration() as a where a.kind = 'mass_actions' and a.action = 'update' $$, $$ values ('eve', 'wrong set') $$, 'so does the log of administration');
select is(tasker.resume_mass_action(:'set', 'the right set after all', 'eve'), true, 'it is resumed');
select is(tasker_test.mass(), 'running, stage 3: 3 wait, 2 open, 0 passed, 0 failed, 0 skipped', 'at its rate: the hour does not count');
select throws_ok($$ select tasker.stop_mass_action('00000000-0000-7000-8000-000000000001') $$, 'TK404', 'selection 00000000-0000-7000-8000-000000000001 has no mass action', 'an unknown one is refused');
select throws_ok($$ select tasker.resume_mass_action(null) $$, 'TK404', 'selection null has no mass action', 'null is refused');

select * from finish();
rollback;
