-- A durable function that waits for the same name in a loop: the event that it has had is still kept, and the second wait
-- waits for the next one; also when it has forgotten what it kept.
begin;
select plan(13);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.begin_function();
create function pg_temp.wait(p_position integer, p_look_back text default '1h') returns text language sql as $$
  select tasker_test.suspend(p_position, jsonb_build_object('await', jsonb_build_object('event', 'tick', 'look_back', p_look_back)), '$await.tick.' || p_position);
$$;
select is(pg_temp.wait(1), 'suspended', 'the function waits');
select tasker_test.fire_notes();
select is(tasker_test.states(), 'waiting_for_dependencies: work=suspended after=pending', 'the function is suspended until an event comes');
select tasker_test.emit('tick', '1') as first \gset
select tasker_test.fire_notes();
select is(tasker_test.states(), 'steps_in_process: work=enqueued after=pending', 'an event continues the function');
select is(
  (select k.value from tasker.kept_results as k),
  jsonb_build_object('by', 'event', 'name', 'tick', 'key', '', 'event_uuid', :'first', 'payload', 1, 'sent_at', '2026-11-22T12:00:00.000000Z'), 'the event is kept as the result of its call'
);
select tasker_test.run_function();
select is(pg_temp.wait(2), 'suspended', 'the function waits a second time');
select tasker_test.fire_notes();
select is(tasker_test.states(), 'waiting_for_dependencies: work=suspended after=pending', 'the second wait does not get the event that ended the first');
select tasker_test.emit('tick', '2');
select tasker_test.emit('tick', '3');
select tasker_test.fire_notes();
select is((select k.value ->> 'payload' from tasker.kept_results as k where k.kept_no = 2), '2', 'the second wait gets the next event');
select tasker_test.run_function();
select a.answer::text from tasker.continue_step(tasker_test.the_step('work'), tasker_test.claim_no('work'), '{}') as a;
select is(pg_temp.wait(1), 'suspended', 'the function waits after it has begun anew');
select tasker_test.fire_notes();
select is((select k.value ->> 'payload' from tasker.kept_results as k), '3', 'it gets the event that came in the meantime');
select tasker_test.run_function();
select pg_temp.wait(2);
select tasker_test.fire_notes();
select is(tasker_test.states(), 'waiting_for_dependencies: work=suspended after=pending', 'no further event ends the next wait');
select is((select count(*) from tasker.broadcast_receipts), 3::bigint, 'each of three events has one receipt');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
