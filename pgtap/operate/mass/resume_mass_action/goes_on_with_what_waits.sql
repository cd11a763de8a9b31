begin;
select plan(4);

select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker_test.fail_orders(3);
select selection_uuid as set from tasker.create_selection('tasks', '{"state": "blocked_by_failures"}') \gset
select tasker.start_mass_action(:'set', 'cancel', 3, 'not wanted', p_at_once => true, p_per_minute => 1);
select is(tasker.resume_mass_action(:'set'), false, 'a running one is not resumed');
select tasker_test.mass();
select tasker.stop_mass_action(:'set');
select tasker_test.pass('1 second');
select tasker.resume_mass_action(:'set');
select tasker_test.pass('2 minutes');
select is(tasker_test.mass(), 'done, stage 3: 0 wait, 0 open, 3 passed, 0 failed, 0 skipped', 'it acts on the entries that waited');
select is(tasker.resume_mass_action(:'set'), false, 'one that is done is not resumed');
select results_eq($$ select count(*) from tasker.task_transition_log as l where l.to_state = 'cancelled' $$, 'values (3::bigint)', 'each task was cancelled once');

select * from finish();
rollback;
