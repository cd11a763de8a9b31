begin;
select plan(8);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker.set_setting('event_hours', '24');
select tasker_test.create_waiting('order', '[{"name": "pay", "await": {"event": "paid"}}]');
select from tasker.create_tasks('test', 'order', array_fill('{}'::jsonb, array[9]));
select tasker_test.fire_notes();
select tasker_test.emit('paid') as old \gset
select tasker_test.fire_notes();
select tasker_test.pass('23 hours');
select tasker_test.emit('paid');
select tasker_test.fire_notes();
select tasker_test.emit('held') as held \gset
select tasker_test.pass('50 minutes');
select is(tasker.forget_events(100), 0, 'no event is deleted before its retention has passed');
select tasker_test.pass('15 minutes');
select is(tasker.forget_events(4), 4, 'a call deletes at most as many rows as its limit');
select is((select e.receivers from tasker.get_event(:'old') as e), 6::bigint, 'receipts are deleted before their event');
select is(tasker.forget_events(100), 7, 'the event is deleted after its receipts');
select throws_ok(format('select * from tasker.get_event(%L)', :'old'), 'TK404', format('event %s does not exist', :'old'), 'a deleted event is unknown');
select tasker_test.pass('2 days');
select is(tasker.forget_events(100), 1, 'the next event is deleted');
select is((select e.delivered_at is null from tasker.get_event(:'held') as e), true, 'an event that has not come to all waits is kept');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
