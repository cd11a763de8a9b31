begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.register('wide', 'a', 'b');
select tasker_test.launch('wide');
select from tasker_test.claim();
select from tasker.append_items(tasker_test.the_step('a'), 1, 'log', '["x", "y"]');
select from tasker.set_value(tasker_test.the_step('a'), 1, 'progress', '{"done": 0.5}');
select from tasker.append_items(tasker_test.the_step('b'), 1, 'log', '["z"]');
prepare names (uuid, text, integer, text, integer) as
  select l.step_name || '/' || l.name || ' ' || l.last_no from tasker.list_streams($1, $2, $3, $4, $5) as l;
select results_eq(format('execute names (%L, null, null, null, 2)', tasker_test.the_task()), array['a/log 2', 'a/progress 1'], 'a page of a task');
select results_eq(format('execute names (%L, null, 1, %L, 2)', tasker_test.the_task(), 'progress'), array['b/log 1'], 'the next page');
select results_eq(format('execute names (%L, null, null, null, 10)', tasker_test.the_step('a')), array['a/log 2', 'a/progress 1'], 'those of a step');
select results_eq(format('execute names (%L, %L, null, null, 10)', tasker_test.the_task(), 'log'), array['a/log 2', 'b/log 1'], 'those of a name');
select throws_ok($$ execute names ('01980000-0000-7000-8000-000000000000', null, null, null, 1) $$, 'TK404', 'task 01980000-0000-7000-8000-000000000000 does not exist', 'an unknown task is refused');
select throws_ok($$ execute names ('01980000-0000-7000-8000-000000000001', null, null, null, 1) $$, 'TK404', 'step 01980000-0000-7000-8000-000000000001 does not exist', 'an unknown step is refused');

select * from finish();
rollback;
