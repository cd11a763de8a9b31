begin;
select plan(9);

select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker_test.fail_orders(3);
select p.digest from tasker.preview_selection('tasks', '{"state": "blocked_by_failures"}') as p \gset

select results_eq($$ select p.words, p.entries, p.more from tasker.preview_selection('tasks', '{"state": "blocked_by_failures"}') as p $$,
  $$ values ('3 tasks in state blocked_by_failures', 3, false) $$, 'it has the words and the count');
select is_empty('select from tasker.selections', 'nothing is stored');
select results_eq(format($$ select s.entries from tasker.create_selection('tasks', '{"state": "blocked_by_failures"}', p_digest => %L) as s $$, :'digest'), 'values (3)', 'the same entries are stored');
select tasker.cancel_task((select t.task_uuid from tasker.tasks as t order by t.task_uuid limit 1));
select tasker_test.launch('order');
select tasker_test.fail_claimed(1);
select throws_ok(
  format($$ select tasker.create_selection('tasks', '{"state": "blocked_by_failures"}', p_digest => %L) $$, :'digest'), 'TK409',
  'the set has changed since it was shown: it has 3 tasks in state blocked_by_failures now', 'as many others are not'
);
select tasker_test.judge();
select i.incident from tasker.list_incidents() as i where i.kind = 'failing' \gset
select results_eq(format($$ select p.entries, p.words like '3 steps that stand failed: %% fails: %%' from tasker.preview_selection('steps', jsonb_build_object('incident', %L)) as p $$, :'incident'),
  'values (3, true)', 'the steps of an incident');
select results_eq(format($$ select p.entries, p.words like '3 tasks with steps that stand failed: %% fails: %%' from tasker.preview_selection('tasks', jsonb_build_object('incident', %L)) as p $$, :'incident'),
  'values (3, true)', 'and their tasks');
select results_eq(format($$ select p.entries, p.more from tasker.preview_selection('tasks', jsonb_build_object('incident', %L), p_limit => 2) as p $$, :'incident'), 'values (2, true)', 'of which some may be taken');
select throws_ok($$ select tasker.preview_selection('tasks', '{"incident": "failing:7", "name": "order"}') $$, 'TK422', 'the filter "incident" goes with no other filter', 'another filter beside it is refused');
select throws_ok($$ select tasker.preview_selection('steps', '{"incident": "failing:7"}') $$, 'TK404', 'no cause of failures is called "failing:7"', 'an unknown incident is refused');

select * from finish();
rollback;
