begin;
select plan(1);

select tasker_test.freeze();
select tasker.register_namespace('test');
select tasker_test.call_as('tasker_operator', $$ select tasker.pause_namespace('test') $$);
select is(
  (select n.paused_by from tasker.list_namespaces() as n where n.name = 'test'), 'tasker_operator', 'where it says nothing'
);

select * from finish();
rollback;
