begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.family(
  '{"task": {"name": "child", "abandon": true}}',
  '{"steps": [{"name": "a", "await": {"signal": "s"}}, {"name": "grandkid", "dependencies": ["a"], "task": {"name": "leaf"}}]}'
);
select tasker_test.register('leaf', 'l');
select tasker_test.fire_notes();
select ok(tasker.cancel_task(tasker_test.parent()), 'the parent is cancelled');
select tasker.send_signal(tasker_test.child(), 's');
select tasker_test.fire_notes();
select is((select count(*) from tasker.tasks as t where t.depth = 2), 1::bigint, 'a task that it has abandoned starts its own');

select * from finish();
rollback;
