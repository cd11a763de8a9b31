begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.register('wide', 'none', 'null', 'text', 'number', 'list');
select tasker_test.launch('wide');
select from tasker_test.claim();
select is(tasker_test.complete('none', null), 'completed', 'no result');
select is(tasker_test.complete('null', 'null'), 'completed', 'the null of JSON');
select is(tasker_test.complete('text', '"''; drop table tasks; -- \u2028"'), 'completed', 'hostile text');
select is(tasker_test.complete('number', '1e400'), 'completed', 'a number that no float holds');
select is(tasker_test.complete('list', '[]'), 'completed', 'a list');
select results_eq(
  $$ select s.results from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() order by s.step_no $$,
  $$ values (null::jsonb), ('null'), ('"''; drop table tasks; -- \u2028"'), ('1e400'), ('[]') $$, 'each is kept as it is'
);
select is(tasker_test.the_state(), 'complete', 'and the task ends');

select * from finish();
rollback;
