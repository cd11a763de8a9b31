-- Keys of four bytes a character are in two indexes with name and namespace.
begin;
select plan(4);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select string_agg(chr(128512 + (i * 7919) % 1000), '') as key from generate_series(1, 500) as i \gset
select tasker_test.create_waiting('order', '[{"name": "pay", "await": {"event": "paid", "key": "$.order"}}]', '{}', jsonb_build_object('order', :'key'));
select lives_ok(
  format('select tasker_test.emit(%L, to_jsonb(repeat(%L, 16382)), %L, %L)', 'paid', 'x', :'key', :'key'), 'a payload of 16 KiB and keys of 2,000 bytes are accepted'
);
select ok(tasker_test.fire_notes() > 0, 'the event is delivered');
select is(tasker_test.states(), 'complete: pay=complete', 'the step that waits takes it');
select is((select length(e.key) from tasker.list_events(p_key => :'key') as e), 500, 'list_events finds the event by its key');

select * from finish();
rollback;
