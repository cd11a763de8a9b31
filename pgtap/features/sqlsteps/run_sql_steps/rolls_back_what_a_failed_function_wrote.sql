begin;
select plan(6);

select tasker_test.take_turn();
select tasker_test.open_shop();
select tasker_test.create_sql('permanent', '[{"name": "a", "sql": "test_shop.fail"}, {"name": "b", "sql": "test_shop.note"}]', '{"code": "TK422"}') as permanent \gset
select tasker_test.create_sql('passing', '[{"name": "a", "sql": "test_shop.fail"}]', '{"code": "P0001"}') as passing \gset
select tasker_test.create_sql('conflict', '[{"name": "a", "sql": "test_shop.fail"}]', '{"code": "40P01"}') as conflict \gset

select results_eq(
  'select r.completed, r.failed, r.put_off from tasker.run_sql_steps(10) as r', 'values (1, 2, 1)',
  'one step completes, two fail, and that of a deadlock is put off'
);
select results_eq(
  'select n.note from test_shop.notes as n', $$ values ('b') $$, 'of failed functions no row is left, and they delay no other'
);
select is(
  (select s.state || ', ' || s.last_error from tasker.workflow_steps as s where s.task_uuid = :'permanent' and s.name = 'a'),
  'error, TK422: the shop is closed', 'a refusal fails for good, with SQLSTATE and message'
);
select is(
  (select s.state || ', ' || s.last_error from tasker.workflow_steps as s where s.task_uuid = :'passing'),
  'waiting_for_retry, P0001: the shop is closed', 'any other error is tried again'
);
select is(
  (select s.state || ', ' || s.attempts from tasker.workflow_steps as s where s.task_uuid = :'conflict'),
  'in_progress, 1', 'a deadlock is tried again and is the same attempt'
);
update tasker.sql_attempts as a set conflicts = 10, due_at = '-infinity';
select tasker.run_sql_steps(10);
select is(
  (select s.state || ', ' || s.last_error from tasker.workflow_steps as s where s.task_uuid = :'conflict'),
  'waiting_for_retry, 40P01: the shop is closed', 'after ten of them the attempt has failed'
);

select * from finish();
rollback;
