-- A test of a template is one transaction: what it emits comes to the steps that it sees when it works on, and stays due for others.
begin;
select plan(8);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('order', '[{"name": "pay", "await": {"event": "paid", "key": "17"}}, {"name": "ship", "dependencies": ["pay"]}]');
select tasker_test.emit('paid', '{"n": 1}', '17') as event \gset
select is(tasker.fire_due_timers(), 1, 'what is due is done');
select is(tasker_test.states(), 'steps_in_process: pay=complete ship=enqueued', 'and the event is there');
select is(tasker.fire_due_timers(), 0, 'once');
select is((select e.delivered_at is null and e.receivers = 1 from tasker.get_event(:'event') as e), true, 'it is not delivered to all before the commit');
select tasker_test.create_waiting('late', '[{"name": "pay", "await": {"event": "paid", "key": "17"}}]');
select is(tasker.fire_due_timers(), 1, 'a wait that begins later');
select is(tasker_test.states(), 'complete: pay=complete', 'looks back');
select is(tasker_test.fire_notes(), 1, 'after the commit nothing is left to deliver');
select is_empty('select * from tasker.check_integrity()', 'nothing is found wrong');

select * from finish();
rollback;
