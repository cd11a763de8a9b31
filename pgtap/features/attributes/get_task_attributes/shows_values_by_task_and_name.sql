begin;
select plan(3);

select tasker.register_task_template('{"namespace": "test", "name": "job", "identity_strategy": "always_unique", "attributes": {"b": "$.b", "a": {"type": "number", "context": "$.a"}}, "steps": []}');
select task_uuid as one from tasker.create_task('test', 'job', '{"a": 1, "b": true}') \gset
select task_uuid as two from tasker.create_task('test', 'job', '{"b": "x"}') \gset
select results_eq(
  format('select a.task_uuid, a.name, a.type, a.value from tasker.get_task_attributes(array[%L, %L]::uuid[]) as a', :'two', :'one'),
  format('values (%L::uuid, ''b'', ''text'', ''"x"''::jsonb), (%L, ''a'', ''number'', ''1''), (%L, ''b'', ''text'', ''"true"'')', :'two', :'one', :'one'),
  'in the order of the tasks, and by name'
);
select throws_ok(
  $$ select * from tasker.get_task_attributes(array_fill('01980000-0000-7000-8000-000000000000'::uuid, array[10001])) $$, 'TK413', '10001 tasks are too many for one call', 'at most 10,000 tasks'
);
set local tasker.namespaces = 'other';
select throws_ok(
  format('select * from tasker.get_task_attributes(array[%L::uuid])', :'one'), 'TK403', 'role "postgres" may not work in namespace "test"', 'a bound caller sees its namespaces only'
);

select * from finish();
rollback;
