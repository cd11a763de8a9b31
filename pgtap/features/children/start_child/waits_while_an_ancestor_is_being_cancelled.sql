begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.family('{}', '{"steps": [{"name": "a", "await": {"signal": "s"}}, {"name": "grandkid", "dependencies": ["a"], "task": {"name": "leaf"}}]}');
select tasker_test.register('leaf', 'l');
select tasker_test.fire_notes();
select tasker.send_signal(tasker_test.child(), 's');
select ok(tasker.cancel_task(tasker_test.parent()), 'the parent is cancelled');

-- The note to the child is late.
update tasker.timers as m set due_at = m.due_at + interval '1 minute' where m.kind = 'cancel_child';
select tasker_test.fire_notes();
select is((select count(*) from tasker.tasks as t where t.depth = 2), 0::bigint, 'its child starts no task meanwhile');
select is(
  (select m.due_at - tasker.clock() from tasker.timers as m where m.kind = 'start_child'), interval '10 seconds', 'the start is tried again'
);
select tasker_test.pass(interval '1 minute');
select tasker_test.fire_notes();
select is((select t.state::text from tasker.tasks as t where t.task_uuid = tasker_test.child()), 'cancelled', 'the child is cancelled');
select is((select count(*) from tasker.tasks as t where t.depth = 2), 0::bigint, 'it has started none');

select * from finish();
rollback;
