begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.create_task();
create temporary table task as select tasker_test.the_task() as task_uuid;
grant select on task to public;
select tasker.register_namespace('other');
create role tasker_test_export in role tasker_reader;
select tasker.bind_role('tasker_test_export', '{other}');

select throws_like(
  $$ select tasker_test.call_as('tasker_test_export', 'select tasker.export_task((select t.task_uuid from task as t))') $$,
  '%tasker_test_export%', 'a role that is bound to other namespaces exports no task of this one'
);
select throws_like(
  $$ select tasker_test.call_as('tasker_test_export', 'select from tasker.get_task_story((select t.task_uuid from task as t))') $$,
  '%tasker_test_export%', 'and does not read its story'
);
select throws_like(
  $$ select tasker_test.call_as('tasker_test_export', $q$ select from tasker.check_template_change('{"namespace": "test", "name": "x", "steps": [{"name": "a"}]}') $q$) $$,
  '%tasker_test_export%', 'and checks no template of it'
);
select tasker.bind_role('tasker_test_export', '{other,test}');
select lives_ok(
  $$ select tasker_test.call_as('tasker_test_export', 'select tasker.export_task((select t.task_uuid from task as t))') $$,
  'bound to its namespace, it does'
);
select is(
  has_function_privilege('tasker_worker', 'tasker.export_task(uuid,boolean,text[])', 'execute'), false, 'workers export no tasks'
);
select is(
  has_function_privilege('tasker_submitter', 'tasker.export_task(uuid,boolean,text[])', 'execute'), false, 'and neither do submitters'
);

select * from finish();
rollback;
