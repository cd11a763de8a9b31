begin;
select plan(3);

select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker_test.fail_orders(3);
select selection_uuid as set from tasker.create_selection('tasks', '{"state": "blocked_by_failures"}') \gset
select throws_ok(format('select tasker.get_mass_action(%L)', :'set'), 'TK404', format('selection %s has no mass action', :'set'), 'without one it is refused');
select tasker.start_mass_action(:'set', 'reset', 3, 'test', p_per_minute => 5, p_stop_share => 0.5, p_canary_seconds => 9);
select tasker_test.mass();
select results_eq(format($$ select m.entries, m.waits, m.open, m.stage::integer, m.canary, m.per_minute, m.stop_share, m.canary_seconds, m.ran_at from tasker.get_mass_action(%L) as m $$, :'set'),
  $$ values (3, 2, 1, 1, true, 5, 0.5::double precision, 9, tasker.clock()) $$, 'its counts and its rules');
select tasker_test.pass('32 days');
update tasker.mass_actions set state = 'stopped', stopped_by = 'test';
update tasker.selections set created_at = tasker.clock() - interval '2 days';
select tasker.run_maintenance('identities');
select is_empty('select from tasker.selections', 'a month after its end it is deleted');

select * from finish();
rollback;
