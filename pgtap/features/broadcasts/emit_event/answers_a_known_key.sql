begin;
select plan(7);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker.register_namespace('test');
select tasker.register_namespace('other');
select * from tasker.emit_event('test', 'paid', '17', '{"amount": 5}', 'evt_1') \gset a_
select is(:'a_repeated', false, 'the first call emits the event');
select results_eq(
  $$ select e.event_uuid, e.repeated from tasker.emit_event('test', 'paid', '18', '{"amount": 6}', 'evt_1') as e $$,
  format('values (%L::uuid, true)', :'a_event_uuid'), 'a repeat is answered with the first event'
);
select is((select count(*) from tasker.broadcasts), 1::bigint, 'the event is stored once');
select is((select count(*) from tasker.timers), 1::bigint, 'the event has one note');
select is((select e.repeated from tasker.emit_event('test', 'refunded', '', '{}', 'evt_1') as e), false, 'the same idempotency key under another name emits another event');
select is((select e.repeated from tasker.emit_event('other', 'paid', '', '{}', 'evt_1') as e), false, 'the same idempotency key in another namespace emits another event');
select isnt(tasker_test.emit('paid'), tasker_test.emit('paid'), 'each call without an idempotency key emits another event');

select * from finish();
rollback;
