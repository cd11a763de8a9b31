begin;
select plan(16);

select from tasker.register_task_template('{"namespace": "test", "name": "parcel", "identity_strategy": "always_unique", "steps": [{"name": "pack"}]}');
select tasker_test.begin_function();
select throws_ok(format('select tasker_test.suspend(1, %L)', u.wait), 'TK422', 'the wait of a function is malformed: ' || u.problem, u.problem)
  from (values
    ('{"tasks": []}', 'tasks must be a list of 1 to 1000 tasks'),
    ('{"tasks": 7}', 'tasks must be a list of 1 to 1000 tasks'),
    ('{"tasks": [{"name": "parcel"}], "await": {"for": 7}}', 'only a timeout may stand beside tasks'),
    ('{"tasks": [{"name": "parcel"}], "timeout": "soon"}', 'timeout is not a duration: soon'),
    ('{"tasks": [{"name": "parcel"}, 7]}', 'tasks[1]: must be an object'),
    ('{"tasks": [{"name": "parcel", "abandon": true}]}', 'tasks[0]: its fields are namespace, name, version and context'),
    ('{"tasks": [{"context": {}}]}', 'tasks[0]: name is missing'),
    ('{"tasks": [{"name": "parcel", "context": []}]}', 'tasks[0]: context must be an object')
  ) as u (wait, problem);

select is(tasker_test.suspend(1, '{"tasks": [{"name": "parcel"}, {"name": "unknown"}]}', '$run.ship'), 'suspended', 'whether a template exists is seen when the tasks start');
select tasker_test.settle();
select is(tasker_test.run_function(), '$run.ship {"by": "task", "error": "template \"test/unknown\" does not exist"}', 'the function is told why none has started');
select is((select count(*) from tasker.tasks as t where t.parent_step_uuid is not null), 0::bigint, 'all start, or none');

select tasker.set_setting('max_task_tree', '100');
select is(
  tasker_test.suspend(2, jsonb_build_object('tasks', (select jsonb_agg('{"name": "parcel"}'::jsonb) from generate_series(1, 101))), '$run.more'), 'suspended',
  'how many there may be is seen then, too'
);
select tasker_test.settle();
select alike(tasker_test.run_function(), '%$run.more {"by": "task", "error": "more than 100 tasks stand below task %; the setting __max_task_tree__ is the limit"}', 'a function starts no more tasks than a tree may have');

select tasker.set_setting('result_bytes', '1024');
select is(tasker_test.suspend(3, '{"tasks": [{"name": "parcel"}, {"name": "parcel"}]}', '$run.large'), 'suspended', 'two tasks start');
select tasker_test.settle();
select from tasker.claim_steps('{test}', tasker_test.worker(), 10, 60, '{pack}') as c
 cross join lateral tasker.complete_steps(array[c.step_uuid], array[c.claim_no], array[to_jsonb(repeat('x', 700))]) as a;
select tasker_test.settle();
select alike(
  tasker_test.run_function(),
  '%$run.large {"by": "task", "tasks": [{"result": {"pack": "xxx%"}, "task_uuid": "%"}, {"error": "the results of task % and of those before it have more than 1024 bytes, the setting __result_bytes__", "task_uuid": "%"}]}',
  'results that are too large together are told by an error'
);
select is_empty('select tasker_test.parcel_problems()', 'every invariant holds');

select * from finish();
rollback;
