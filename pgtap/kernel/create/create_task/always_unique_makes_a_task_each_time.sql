begin;
select plan(2);

select tasker_test.take_turn();

select tasker.register_task_template('{"namespace": "test", "name": "unique", "identity_strategy": "always_unique", "steps": [{"name": "a"}]}');
select is((select c.created from tasker.create_task('test', 'unique', '{"a": 1}') as c), true, 'the first call creates a task');
select is((select c.created from tasker.create_task('test', 'unique', '{"a": 1}') as c), true, 'the second call with the same context creates another');

select * from finish();
rollback;
