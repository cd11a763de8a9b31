-- A call delivers to as many steps as it is allowed to, and leaves the rest due; each step gets the event once.
begin;
select plan(10);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('market', '[{"name": "trade", "await": {"event": "market_open"}}]');
select from tasker.create_tasks('test', 'market', array_fill('{}'::jsonb, array[24]));
select tasker_test.fire_notes();
select tasker_test.emit('market_open') as event \gset
create function pg_temp.fire(p_limit integer) returns text language plpgsql as $$
declare
  v_fired integer;
begin
  update tasker.timers set xact = 0;
  v_fired := tasker.fire_due_timers(p_limit);
  return format(
    '%s fired, %s complete, delivered: %s', v_fired,
    (select count(*) from tasker.workflow_steps as s where s.state = 'complete'), (select b.delivered_at is not null from tasker.broadcasts as b)
  );
end;
$$;
select is(pg_temp.fire(10), '1 fired, 10 complete, delivered: f', 'the first call delivers to ten steps');
select is((select tasker.next_due_at()), timestamptz '2026-11-22 12:00:00.25+00', 'the rest is due for claims in 250 ms');
select is_empty($$ select from tasker.claim_steps('{test}', tasker_test.worker(), 10) $$, 'a claim finds no step');
select is((select count(*) from tasker.broadcast_receipts), 10::bigint, 'and delivers to no step');
select is(pg_temp.fire(10), '1 fired, 20 complete, delivered: f', 'the second call delivers to ten more at once');
select is(pg_temp.fire(10), '1 fired, 25 complete, delivered: t', 'the last call delivers to the rest and marks the event as delivered');
select is(pg_temp.fire(10), '0 fired, 25 complete, delivered: t', 'a further call has nothing to deliver');
select is((select count(*) from tasker.broadcast_receipts), 25::bigint, 'each step took the event once');
select is((select e.receivers from tasker.get_event(:'event') as e), 25::bigint, 'get_event returns the number of receivers');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
