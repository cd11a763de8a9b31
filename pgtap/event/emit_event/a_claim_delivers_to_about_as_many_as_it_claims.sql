-- A worker waits for its claim: the claim does not do more for others than for its worker.
begin;
select plan(7);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('market', '[{"name": "trade", "await": {"event": "market_open"}}]');
select from tasker.create_tasks('test', 'market', array_fill('{}'::jsonb, array[99]));
create function pg_temp.claim(p_limit integer) returns text language plpgsql as $$
begin
  update tasker.timers set xact = 0;
  perform from tasker.claim_steps('{test}', tasker_test.worker(), p_limit);
  return format(
    '%s not matched, %s complete', (select count(*) from tasker.timers as m where m.kind = 'match_wait'),
    (select count(*) from tasker.workflow_steps as s where s.state = 'complete')
  );
end;
$$;
select is(pg_temp.claim(1), '88 not matched, 0 complete', 'a claim of one step matches 12 steps that have begun to wait');
select is(pg_temp.claim(80), '48 not matched, 0 complete', 'a claim of 80 steps matches 40');
select tasker_test.fire_notes();
select tasker_test.emit('market_open');
select is(pg_temp.claim(1), '0 not matched, 12 complete', 'a claim of one step delivers the event to 12 steps');
select is(pg_temp.claim(80), '0 not matched, 52 complete', 'a claim of 80 steps delivers it to 40');
select is((select b.delivered_at from tasker.broadcasts as b), null, 'the event is not marked as delivered while steps are left');
select tasker_test.fire_notes();
select is(
  (select count(*) || ' ' || count(distinct (r.task_uuid, r.step_no)) from tasker.broadcast_receipts as r), '100 100', 'later calls deliver the event to the other steps, to each step once'
);
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
