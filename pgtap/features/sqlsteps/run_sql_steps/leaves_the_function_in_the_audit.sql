begin;
select plan(3);

select tasker_test.take_turn();
select tasker_test.open_shop();
select tasker_test.create_sql(
  'audited', '[{"name": "a", "sql": "test_shop.note"}, {"name": "b", "sql": "test_shop.fail", "dependencies": ["a"], "retry": {"retryable": false}}]',
  '{"code": "P0001"}'
) as task \gset
select tasker.run_sql_steps(10);

select results_eq(
  format($$ select h.step_name, h.handler, h.success, coalesce(h.error, '') from tasker.get_task_audit_history(%L) as h order by h.step_no $$, :'task'),
  $$ values ('a', 'sql:test_shop.note', true, ''), ('b', 'sql:test_shop.fail', false, 'P0001: the shop is closed') $$,
  'the audit of the task names the functions'
);
select is(
  (select count(*)::integer from tasker.workflow_step_result_audit as u where u.task_uuid = :'task' and u.worker_uuid is not null), 2,
  'each result has the worker that stands for its slot'
);
select is(
  (select distinct w.name::text from tasker.workflow_step_result_audit as u join tasker.workers as w on w.worker_uuid = u.worker_uuid where u.task_uuid = :'task'),
  format('sql steps as %s#%s', session_user, (select min(s.slot_no) from tasker.sql_slots as s where not s.alone)), 'whose name says whose session called them'
);

select * from finish();
rollback;
