begin;
select plan(12);

select tasker_test.freeze_tasklib();
select tasker_test.register_echo();
create temporary table made as select s.id from tasklib.submit_task('echo', '{"a": 1}', p_dedup_key => 'k') as s;
prepare erase as select tasklib.erase_task(m.id, 'asked for') from made as m;
select throws_like('execute erase', 'task % cannot be erased: it is pending', 'an open task is refused');
select tasklib.cancel_task(m.id, 'x') from made as m;
insert into tasklib.task_runs (task_id, claim_no, name, worker_id, started_at, ended_at, outcome, error)
select m.id, 1, 'echo', 'w', now(), now(), 'failed', 'x' from made as m;
select is_empty($$ select tasker_test.mark_run((select m.id from made as m)) $$, 'every column that a user can fill has the marker');
select set_eq($$ select tasker_test.marked_tables() $$, $$ values ('tasklib.tasks'), ('tasklib.task_runs'), ('tasklib.task_actions') $$, 'the marker is found in their tables');
select throws_ok($$ select tasklib.erase_task(m.id, '') from made as m $$, 'TK422', 'the reason is missing', 'a reason is needed');
select results_eq('execute erase', $$ values (true) $$, 'the task is erased');
select is_empty($$ select tasker_test.marked_tables() $$, 'no table has the marker afterwards');
select results_eq($$ select t.kwargs, t.error from tasklib.get_task((select m.id from made as m)) as t $$, $$ values ('{"erased": true}'::jsonb, 'erased') $$, 'it says that it was erased');
select isnt((select t.erased_at from tasklib.get_task((select m.id from made as m)) as t), null, 'and when');
select matches(
  (select a.detail::text from tasklib.list_task_actions() as a where a.action = 'erase'), '^\{"digest": "[0-9a-f]{64}", "reason": "asked for"\}$',
  'the list of actions has the reason and a digest'
);
select results_eq('execute erase', $$ values (false) $$, 'a second call changes nothing');
select throws_like($$ select tasklib.retry_task(m.id) from made as m $$, 'task % was erased and cannot run again', 'it is not retried');
select throws_ok(
  $$ select tasklib.erase_task('01980000-0000-7000-8000-000000000000', 'x') $$, 'TK404', 'task 01980000-0000-7000-8000-000000000000 does not exist', 'an unknown task is refused'
);

select * from finish();
rollback;
