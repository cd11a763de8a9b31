begin;
select plan(9);

select tasker_test.take_turn();

select tasker_test.start_task() as task \gset
prepare add (jsonb) as select tasker.add_steps((select t.task_uuid from tasker.tasks as t order by t.task_uuid desc limit 1), $1);
select throws_ok($$ execute add ('[{"name": "a", "dependencies": ["nowhere"]}]') $$, 'TK422', 'steps[0].dependencies[0]: there is no step "nowhere"', 'an unknown dependency is refused');
select throws_ok($$ execute add ('[{"name": "a", "dependencies": ["b"]}, {"name": "b", "dependencies": ["a"]}]') $$, 'TK422', 'steps[0].dependencies: the steps wait for one another in a cycle: a -> b -> a', 'a cycle is refused');
select throws_ok($$ execute add ('[{"name": "a"}, {"name": "a"}]') $$, 'TK422', 'steps[1].name: "a" is the name of steps[0] already', 'the same name twice is refused');
select throws_ok($$ execute add ('[{"name": "a", "dependancies": []}]') $$, 'TK422', 'steps[0].dependancies: a step has no such field', 'an unknown field is refused');
select throws_ok($$ execute add ('[{}]') $$, 'TK422', 'steps[0].name: is missing', 'a step without a name is refused');
select throws_ok($$ execute add ('{}') $$, 'TK422', 'the steps to add are not a JSON array', 'an object is refused');
select throws_ok($$ execute add (null) $$, 'TK422', 'the steps to add are not a JSON array', 'null is refused');
select is((select count(*) from tasker.list_steps(:'task')), 4::bigint, 'no step is added');
select is_empty(format($$ select tasker_test.violations(%L) $$, :'task'), 'every invariant holds');

select * from finish();
rollback;
