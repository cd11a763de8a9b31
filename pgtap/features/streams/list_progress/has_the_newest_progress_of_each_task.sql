begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.register('wide', 'a', 'b');
select tasker_test.launch('wide');
select from tasker_test.claim();
select from tasker.set_value(tasker_test.the_step('a'), 1, 'progress', '{"done": 0.5, "text": "half"}');
select tasker_test.pass('1 second');
select from tasker.set_value(tasker_test.the_step('b'), 1, 'progress', '{"done": 0.25}');
select from tasker.set_value(tasker_test.the_step('b'), 1, 'other', '1');
select results_eq(
  $$ select p.step_name, p.value from tasker.list_progress(array['01980000-0000-7000-8000-000000000000', tasker_test.the_task()]) as p $$,
  $$ values ('b', '{"done": 0.25}'::jsonb) $$, 'the value that was set last'
);
select is_empty($$ select tasker.list_progress(null) $$, 'of no tasks there is none');
select throws_ok($$ select tasker.list_progress(array_fill(tasker_test.the_task(), array[1001])) $$, 'TK422', 'a limit of 1001 is out of range', '1001 tasks are refused');

select * from finish();
rollback;
