begin;
select plan(3);

set local timezone to 'Asia/Kolkata';
select tasker_test.freeze('2026-11-22 12:00:00.25+00');
select tasker_test.create_waiting('market', '[{"name": "trade", "await": {"event": "market_open"}}]');
select tasker_test.fire_notes();
select tasker_test.emit('market_open', '{}') as event \gset
select tasker_test.pass('1 minute');
select is(tasker_test.fire_notes(), 1, 'the event is delivered a minute later');
select is(
  (select s.results from tasker.workflow_steps as s where s.name = 'trade'),
  jsonb_build_object(
    'by', 'event', 'name', 'market_open', 'key', '', 'event_uuid', :'event', 'payload', '{}'::jsonb, 'sent_at', '2026-11-22T12:00:00.250000Z'
  ),
  'the answer has the time at which the event was emitted'
);
set local timezone to 'America/St_Johns';
select is_empty($$ select from tasker.check_integrity() as p where p.object = 'broadcast_receipts' $$, 'the check of integrity in another time zone finds nothing');

select * from finish();
rollback;
