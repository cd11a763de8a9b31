begin;
select plan(19);

select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker_test.fail_orders(30);
select selection_uuid as set from tasker.create_selection('tasks', '{"state": "blocked_by_failures"}') \gset
-- A task that fails later is not in the set.
select tasker_test.launch('order');
select tasker_test.fail_claimed(1);

select throws_ok(format('select tasker.start_mass_action(%L, %L, 29, %L)', :'set', 'reset', 'the bank is open'), 'TK409', 'the selection has 30 entries, not 29', 'the number is confirmed');
select throws_ok(format('select tasker.start_mass_action(%L, %L, 30, %L)', :'set', 'reset', ' '), 'TK422', 'the reason is missing', 'a reason is needed');
select throws_ok(format('select tasker.start_mass_action(%L, %L, 30, %L)', :'set', 'retry', 'x'), 'TK422', 'a mass action on tasks is not "retry"', 'tasks are not retried');
select throws_ok(format('select tasker.start_mass_action(%L, %L, 30, %L, %L)', :'set', 'reset', 'x', '{"version": "2"}'), 'TK422', 'reset has no argument "version"', 'an unknown argument is refused');
select is(tasker.start_mass_action(:'set', 'reset', 30, 'the bank is open', p_per_minute => 60, p_actor => 'ann'), true, 'it is started');
select is(tasker.start_mass_action(:'set', 'reset', 30, 'the bank is open', p_actor => 'ann'), false, 'the same again starts nothing');
select throws_ok(format('select tasker.start_mass_action(%L, %L, 30, %L)', :'set', 'cancel', 'x'), 'TK409', format('selection %s already has a mass action', :'set'), 'nor does another action');

select is(tasker_test.mass(), 'running, stage 1: 29 wait, 1 open, 0 passed, 0 failed, 0 skipped', 'first one entry');
select is(tasker_test.mass(), 'running, stage 1: 29 wait, 1 open, 0 passed, 0 failed, 0 skipped', 'whose outcome it waits for');
select tasker_test.complete_claimed();
select is(tasker_test.mass(), 'running, stage 2: 19 wait, 10 open, 1 passed, 0 failed, 0 skipped', 'then ten');
select tasker_test.complete_claimed();
select is(tasker_test.mass(), 'running, stage 3: 18 wait, 1 open, 11 passed, 0 failed, 0 skipped', 'then the rest, one a second');
select tasker_test.pass('5 seconds');
select is(tasker_test.mass(), 'running, stage 3: 13 wait, 6 open, 11 passed, 0 failed, 0 skipped', 'five seconds later five more');
select tasker_test.pass('1 minute');
select is(tasker_test.mass(), 'done, stage 3: 0 wait, 19 open, 11 passed, 0 failed, 0 skipped', 'then it has acted on all');
select tasker_test.complete_claimed();
select is(tasker_test.mass(), 'done, stage 3: 0 wait, 0 open, 30 passed, 0 failed, 0 skipped', 'and knows the outcomes');
select results_eq(
  $$ select t.state::text, count(*) from tasker.tasks as t group by 1 order by 1 $$,
  $$ values ('blocked_by_failures', 1::bigint), ('complete', 30) $$, 'exactly the tasks of the set were reset'
);
select results_eq(
  format($$ select count(distinct t.task_uuid), count(distinct h.actor) filter (where h.actor = 'ann'), max(n.times)
       from tasker.tasks as t cross join lateral tasker.get_task_history(t.task_uuid) as h
       cross join lateral (select count(*) as times from tasker.get_task_history(t.task_uuid) as o where o.reason = h.reason and o.step_no is not null) as n
      where h.reason = %L $$, format('the bank is open (mass action %s)', :'set')),
  $$ values (30::bigint, 1::bigint, 1::bigint) $$, 'each once, with the reason and the actor'
);
select results_eq(
  $$ select a.action, a.actor, a.reason, a.namespaces from tasker.list_administration() as a where a.kind = 'mass_actions' order by a.entry_no $$,
  $$ values ('insert', 'ann', 'the bank is open', '{test}'::text[]), ('update', null, null, '{test}') $$, 'the log of administration has it as one'
);
select results_eq(
  format($$ select m.words, m.state, m.started_by, m.reason from tasker.get_mass_action(%L) as m $$, :'set'),
  $$ values ('30 tasks in state blocked_by_failures', 'done', 'ann', 'the bank is open') $$, 'it is read in words'
);
select is_empty('select v from tasker.tasks as t cross join lateral tasker_test.violations(t.task_uuid) as v', 'every invariant holds');

select * from finish();
rollback;
