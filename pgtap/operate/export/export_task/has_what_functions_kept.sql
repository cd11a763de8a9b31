begin;
select plan(5);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.begin_function();
select tasker_test.keep(1, 'charge', '{"id": 7, "iban": "DE1"}');
select tasker_test.keep(2, 'ship', null, 'no paper');
select tasker_test.suspend(3, '{"await": {"signal": "approved"}}', '$await.approved');
select is(
  (select jsonb_agg(k.value - 'kept_at')
     from jsonb_array_elements(tasker.export_task(tasker_test.the_task(), true, '{$.iban}') #> '{steps,0,function,kept}') as k (value)),
  '[{"name": "charge", "position": 1, "occurrence": 1, "failed": false, "value": {"id": 7, "iban": null}},
    {"name": "ship", "position": 2, "occurrence": 1, "failed": true, "error": "no paper"}]',
  'the calls that a function has kept, in order'
);
select is(
  (tasker.export_task(tasker_test.the_task()) #> '{steps,0,wait}') - '{any,claim_no,since}'::text[], '{"name": "$await.approved", "position": 3, "occurrence": 1}',
  'and the call that it waits in'
);
select is(
  (select jsonb_agg(k.value - 'kept_at')
     from jsonb_array_elements(tasker.export_task(tasker_test.the_task(), false) #> '{steps,0,function,kept}') as k (value)),
  '[{"name": "charge", "position": 1, "occurrence": 1, "failed": false}, {"name": "ship", "position": 2, "occurrence": 1, "failed": true}]',
  'without payloads only their names'
);
select tasker_test.signal('approved', '{"ok": true}');
select is(
  (select jsonb_agg(g.value - '{sent_at,sent_by,consumed_at}'::text[])
     from jsonb_array_elements(tasker.export_task(tasker_test.the_task()) -> 'signals') as g (value)),
  '[{"name": "approved", "payload": {"ok": true}, "signal_no": 1, "step_no": 1}]',
  'signals name the step that took them'
);
select tasker_test.run_function();
select tasker_test.suspend(4, '{"await": {"event": "paid"}}', '$event.paid');
select tasker_test.emit('paid', '{"cents": 12}');
select tasker_test.fire_notes();
select is(
  (select jsonb_agg(e.value - '{received_at,event_uuid}'::text[])
     from jsonb_array_elements(tasker.export_task(tasker_test.the_task()) -> 'events') as e (value)),
  '[{"key": "", "name": "paid", "payload": {"cents": 12}, "sent_at": "2026-11-22T12:00:00.000000Z", "step_no": 1}]',
  'and so do events'
);

select * from finish();
rollback;
