begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.register('wide', 'none', 'null', 'text', 'number', 'list');
select tasker_test.launch('wide');
select from tasker_test.claim();
select is(tasker_test.complete('none', null), 'completed', 'a null result is accepted');
select is(tasker_test.complete('null', 'null'), 'completed', 'JSON null is accepted');
select is(tasker_test.complete('text', '"''; drop table tasks; -- \u2028"'), 'completed', 'hostile text is accepted');
select is(tasker_test.complete('number', '1e400'), 'completed', 'a number beyond double precision is accepted');
select is(tasker_test.complete('list', '[]'), 'completed', 'a list is accepted');
select results_eq(
  $$ select s.results from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() order by s.step_no $$,
  $$ values (null::jsonb), ('null'), ('"''; drop table tasks; -- \u2028"'), ('1e400'), ('[]') $$, 'each result is stored unchanged'
);
select is(tasker_test.the_state(), 'complete', 'the task completes');

select * from finish();
rollback;
