-- A test of a template is one transaction: what it emits comes to the steps that it sees when it works on, and stays due for others.
begin;
select plan(8);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('order', '[{"name": "pay", "await": {"event": "paid", "key": "17"}}, {"name": "ship", "dependencies": ["pay"]}]');
select tasker_test.emit('paid', '{"n": 1}', '17') as event \gset
select is(tasker.fire_due_timers(), 1, 'fire_due_timers delivers the event within its own transaction');
select is(tasker_test.states(), 'steps_in_process: pay=complete ship=enqueued', 'the step takes the event');
select is(tasker.fire_due_timers(), 0, 'the event is delivered only once');
select is((select e.delivered_at is null and e.receivers = 1 from tasker.get_event(:'event') as e), true, 'the event is not marked as delivered before the commit');
select tasker_test.create_waiting('late', '[{"name": "pay", "await": {"event": "paid", "key": "17"}}]');
select is(tasker.fire_due_timers(), 1, 'fire_due_timers matches a step that begins to wait later');
select is(tasker_test.states(), 'complete: pay=complete', 'that step takes the event by looking back');
select is(tasker_test.fire_notes(), 1, 'the delivery is finished after the commit');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
