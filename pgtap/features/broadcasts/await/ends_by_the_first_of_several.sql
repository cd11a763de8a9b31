begin;
select plan(16);

select tasker_test.freeze('2026-11-22 12:00:00+00');
create function pg_temp.begin() returns uuid language sql as $$
  select tasker_test.create_waiting('order', '[
    {"name": "pay", "await": [{"event": "paid", "key": "17", "when": "$.amount >= 100"}, {"event": "waived"}, {"signal": "paid"}], "timeout": "1h", "on_timeout": "skip"},
    {"name": "ship", "dependencies": ["pay"]}
  ]');
$$;
create function pg_temp.left_behind() returns text language sql as $$
  select format('%s waits, %s timers%s', (select count(*) from tasker.waits), (select count(*) from tasker.timers),
                (select string_agg('; ' || v, '') from tasker_test.violations() as v));
$$;
select pg_temp.begin();
select is(pg_temp.left_behind(), '3 waits, 2 timers', 'the step has three rows in waits, a timer and a note');
select is(
  (select e.summary from tasker.explain_step(tasker_test.the_step('pay')) as e),
  format('It waits for event "paid" with key "17" or event "waived" or signal "paid": select * from tasker.emit_event(''test'', ''paid'', ''17'', payload), or select * from tasker.send_signal(%L, ''paid'', payload). At 2026-11-22 13:00:00Z it is skipped, unless the event comes before.', tasker_test.the_task()),
  'explain_step names the events'
);
select results_eq(
  $$ select w.signals, w.events, w.event_keys from tasker.list_waits('test') as w $$,
  $$ values ('{paid}'::text[], '{paid,waived}'::text[], '{17,""}'::text[]) $$, 'list_waits shows the step once'
);
select results_eq(
  $$ select (select count(*) from tasker.list_waits(p_event => 'waived')), (select count(*) from tasker.list_waits(p_event => 'paid', p_signal => 'paid')), (select count(*) from tasker.list_waits(p_event => 'x')) $$,
  $$ values (1::bigint, 1::bigint, 0::bigint) $$, 'list_waits finds the step by its events'
);
select tasker_test.emit('paid', '{"amount": 99}', '17');
select tasker_test.emit('paid', '{"amount": 100}', '18');
select tasker_test.emit('paid', '{"amount": 100}');
select tasker_test.fire_notes();
select is(tasker_test.states(), 'waiting_for_dependencies: pay=suspended ship=pending', 'an event with another payload or key, or without a key, leaves the step waiting');
select tasker_test.emit('paid', '{"amount": 100}', '17');
select tasker_test.fire_notes();
select is(tasker_test.states(), 'steps_in_process: pay=complete ship=enqueued', 'the matching event ends the wait');
select is(pg_temp.left_behind(), '0 waits, 0 timers', 'no wait and no timer is left');

select pg_temp.begin();
select is(tasker_test.signal('paid'), 'delivered pay', 'a signal of the same name ends the wait');
select is(pg_temp.left_behind(), '0 waits, 0 timers', 'the note is deleted with the wait');

select tasker_test.pass('2 minutes');
select pg_temp.begin();
select tasker_test.pass('61 minutes');
select tasker_test.fire_notes();
select is(tasker_test.states(), 'complete: pay=cancelled ship=cancelled', 'the time-out skips the step');
select is(pg_temp.left_behind(), '0 waits, 0 timers', 'no wait and no timer is left');

select pg_temp.begin();
select tasker_test.fire_notes();
select tasker_test.emit('waived');
select tasker_test.pass('61 minutes');
select tasker_test.fire_notes();
select is(tasker_test.states(), 'steps_in_process: pay=complete ship=enqueued', 'an event that came in time ends the wait although the time-out is due, too');

select pg_temp.begin();
select ok(tasker.cancel_task(tasker_test.the_task()), 'cancel_task accepts the task');
select is(pg_temp.left_behind(), '0 waits, 0 timers', 'no wait and no timer is left');
select tasker_test.fire_notes();
select is(tasker_test.states(), 'cancelled: pay=cancelled ship=cancelled', 'a cancelled task gets no event');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
