begin;
select plan(12);

select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker_test.fail_orders(20);
select selection_uuid as set from tasker.create_selection('tasks', '{"state": "blocked_by_failures"}') \gset
select tasker.start_mass_action(:'set', 'reset', 20, 'the bank is open', p_canary_seconds => 60);

select tasker_test.mass();
select tasker_test.pass('61 seconds');
select is(tasker_test.mass(), 'stopped, stage 1: 19 wait, 1 open, 0 passed, 0 failed, 0 skipped', 'without an outcome it stops');
select results_eq($$ select m.stopped_by, m.stopped_why from tasker.list_mass_actions('stopped') as m $$,
  $$ values ('canary', 'the outcome of 1 entry is not known after 60 seconds') $$, 'and says so');
select tasker_test.fail_claimed(1);
select is(tasker.resume_mass_action(:'set', 'a worker was missing', 'ann'), true, 'it is resumed');
select is(tasker.resume_mass_action(:'set'), false, 'once');
select tasker_test.pass('1 second');
select is(tasker_test.mass(), 'running, stage 1: 18 wait, 1 open, 0 passed, 1 failed, 0 skipped', 'it tries another one: the failure was before');
select tasker_test.complete_claimed();
select is(tasker_test.mass(), 'running, stage 2: 8 wait, 10 open, 1 passed, 1 failed, 0 skipped', 'that one passed');
select tasker_test.fail_claimed(3);
select is(tasker_test.mass(), 'stopped, stage 2: 8 wait, 7 open, 1 passed, 4 failed, 0 skipped', 'three of ten fail again');
select results_eq($$ select m.stopped_by, m.stopped_why from tasker.list_mass_actions() as m $$,
  $$ values ('stop rule', '3 of 4 outcomes are failures, more than 20.0 %') $$, 'the stop rule has stopped it');
select results_eq(format($$ select distinct e.note from tasker.list_selection_entries(%L, 'failed') as e $$, :'set'), $$ values ('the bank is closed') $$, 'each failure has its error');
select tasker_test.pass('1 hour');
select is(tasker_test.mass(), 'stopped, stage 2: 8 wait, 7 open, 1 passed, 4 failed, 0 skipped', 'it stays stopped');
select results_eq($$ select count(*) from tasker.tasks as t where t.failed_steps > 0 $$, 'values (12::bigint)', 'eight tasks were never touched, four failed again');
select is_empty('select v from tasker.tasks as t cross join lateral tasker_test.violations(t.task_uuid) as v', 'every invariant holds');

select * from finish();
rollback;
