begin;
select plan(2);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('order', '[{"name": "pay", "await": {"event": "paid"}}]');
select tasker_test.fire_notes();
select tasker_test.emit('paid', '{"n": 1}', '', 'evt_1') as event \gset
select results_eq(
  format('select e.namespace, e.name, e.key, e.payload, e.idempotency_key, e.delivered_at, e.receivers from tasker.get_event(%L) as e', :'event'),
  $$ values ('test', 'paid', '', '{"n": 1}'::jsonb, 'evt_1', null::timestamptz, 0::bigint) $$, 'an event has no receivers before it is delivered'
);
select tasker_test.fire_notes();
select results_eq(
  format('select e.delivered_at, e.receivers from tasker.get_event(%L) as e', :'event'),
  $$ values (timestamptz '2026-11-22 12:00:00+00', 1::bigint) $$, 'a delivered event has its receivers and the time'
);

select * from finish();
rollback;
