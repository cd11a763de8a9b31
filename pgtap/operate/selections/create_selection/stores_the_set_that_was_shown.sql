begin;
select plan(22);

select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker_test.register_as('order', '{"on_failure": "fail"}', 'charge');
select tasker_test.make_task('order') from generate_series(1, 5);
create temp table made as select s.* from tasker.create_selection('tasks', '{"namespace": "test", "name": "order"}', p_actor => 'ann') as s;
grant select on made to public;

select results_eq($$ select m.kind, m.entries, m.more, m.words, m.namespaces, m.created_by, m.action from made as m $$,
  $$ values ('tasks', 5, false, '5 tasks of namespace test from template order', '{test}'::text[], 'ann', null::text) $$, 'it says in words what it has');
select tasker_test.make_task('order');
select results_eq($$ select g.entries, g.words from made as m, tasker.get_selection(m.selection_uuid) as g $$, $$ values (5, '5 tasks of namespace test from template order') $$,
  'a task that matches later is not part of it');
select results_eq(
  $$ select array_agg(e.entry_no order by e.entry_no), count(distinct e.object_uuid), bool_and(e.object_uuid = e.task_uuid and e.state = 'waits' and e.namespace = 'test')
       from made as m, tasker.list_selection_entries(m.selection_uuid) as e $$,
  $$ values ('{1,2,3,4,5}'::integer[], 5::bigint, true) $$, 'its entries are numbered, the oldest first'
);
select results_eq($$ select array_agg(e.entry_no order by e.entry_no) from made as m, tasker.list_selection_entries(m.selection_uuid, 'waits', 2, 2) as e $$, $$ values ('{3,4}'::integer[]) $$, 'they come in pages');
select results_eq($$ select s.entries, s.more, s.words from tasker.create_selection('tasks', '{"name": "order"}', p_limit => 2) as s $$,
  $$ values (2, true, 'the newest 2 tasks from template order') $$, 'more than it holds is said');
select results_eq($$ select s.entries, s.words from tasker.create_selection('tasks', '{}', p_ids => array(select t.task_uuid from tasker.tasks as t limit 2)) as s $$,
  $$ values (2, '2 tasks chosen one by one') $$, 'tasks are named');
select results_eq($$ select s.entries from tasker.create_selection('tasks', '{"state": "error"}') as s $$, 'values (0)', 'nothing may match');
select results_eq($$ select s.words from tasker.create_selection('tasks', '{"tags": ["a", "b"], "requested_after": "2026-11-20", "version": "9"}') as s $$,
  $$ values ('0 tasks of version 9 with tags a, b requested since 2026-11-20') $$, 'every filter is said');
select results_eq($$ select s.entries, s.words from tasker.create_selection('steps', '{}', p_ids => array[tasker.step_uuid((select t.task_uuid from tasker.tasks as t limit 1), 1)]) as s $$,
  $$ values (1, '1 step chosen one by one') $$, 'steps are named');
select tasker.create_dlq_entry(t.task_uuid) from tasker.tasks as t limit 2;
select results_eq($$ select s.entries, s.words from tasker.create_selection('dead_letters', '{"namespace": "test"}') as s $$,
  $$ values (2, '2 open dead letters of namespace test') $$, 'dead letters are found');
select results_eq($$ select s.entries from tasker.create_selection('dead_letters', '{}', p_ids => array(select d.dlq_entry_uuid from tasker.tasks_dlq as d)) as s $$, 'values (2)', 'and named');

select throws_ok($$ select tasker.create_selection('tasks', null) $$, 'TK422', 'a selection without a filter would select everything', 'everything is refused');
select throws_ok($$ select tasker.create_selection('task', '{"name": "x"}') $$, 'TK422', 'a selection has no kind "task"', 'an unknown kind is refused');
select throws_ok($$ select tasker.create_selection('tasks', '{"namespce": "test"}') $$, 'TK422', 'a selection of tasks has no filter "namespce"', 'an unknown filter is refused: it would widen the set');
select throws_ok($$ select tasker.create_selection('tasks', '{"tags": "a"}') $$, 'TK422', 'the filter "tags" is not an array of texts', 'a filter of another type is refused');
select throws_ok($$ select tasker.create_selection('tasks', '{"requested_after": "soon"}') $$, 'TK422', 'the filter "requested_after" is not a time', 'a word that is no time is refused');
select throws_ok($$ select tasker.create_selection('tasks', '{"correlation_id": "x"}') $$, 'TK422', 'the filter "correlation_id" is not a UUID', 'a word that is no UUID is refused');
select throws_ok($$ select tasker.create_selection('tasks', '[]') $$, 'TK422', 'the filters of a selection are not a JSON object', 'an array is refused');
select throws_ok($$ select tasker.create_selection('tasks', '{"state": "broken"}') $$, 'TK422', '"broken" is not a state of a task', 'an unknown state is refused');
select throws_ok($$ select tasker.create_selection('tasks', '{"name": "x"}', p_limit => 10001) $$, 'TK422', 'a selection of at most 10001 is not possible', 'its size is bounded');
select throws_ok($$ select tasker.get_selection('00000000-0000-7000-8000-000000000001') $$, 'TK404', 'there is no selection 00000000-0000-7000-8000-000000000001', 'an unknown selection is refused');
select throws_ok($$ select tasker.create_selection('tasks', '{}', p_ids => '{00000000-0000-7000-8000-000000000001}') $$, 'TK404', 'task 00000000-0000-7000-8000-000000000001 does not exist', 'an unknown task is refused');

select * from finish();
rollback;
