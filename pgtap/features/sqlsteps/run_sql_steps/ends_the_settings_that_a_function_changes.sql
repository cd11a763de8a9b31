begin;
select plan(4);

select tasker_test.take_turn();
select tasker_test.open_shop();
set work_mem = '3MB';
set search_path = public, pg_catalog;
set timezone = 'Asia/Tokyo';
select tasker_test.create_sql('settings', '[{"name": "a", "sql": "test_shop.meddle"}, {"name": "b", "sql": "test_shop.settings", "dependencies": ["a"]}]') as task \gset
select tasker.run_sql_steps(10);

select is(
  (select s.results - 'work_mem' - 'timezone' from tasker.workflow_steps as s where s.task_uuid = :'task' and s.name = 'b'),
  '{"search_path": "pg_catalog, pg_temp", "secret": "", "enable_seqscan": "on"}'::jsonb,
  'the next function finds its search_path pinned, nothing that the one before has set, and no setting of the engine'
);
select isnt(
  (select s.results ->> 'work_mem' from tasker.workflow_steps as s where s.task_uuid = :'task' and s.name = 'b'), '777kB',
  'nor a setting of PostgreSQL that the one before has set'
);
select is(
  concat_ws(' ', current_setting('work_mem'), current_setting('search_path'), current_setting('timezone')), '3MB public, pg_catalog Asia/Tokyo',
  'afterwards the session has its own settings'
);
select is(coalesce(current_setting('shop.secret', true), ''), '', 'and none that only the function knows');

select * from finish();
rollback;
