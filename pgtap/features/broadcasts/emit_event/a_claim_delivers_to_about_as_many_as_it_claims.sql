-- A worker waits for its claim: the claim does not do more for others than for its worker, unless there is nothing to claim.
begin;
select plan(10);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('market', '[{"name": "trade", "await": {"event": "market_open"}}]');
select from tasker.create_tasks('test', 'market', array_fill('{}'::jsonb, array[199]));
select tasker_test.register('other', 'work');
select from tasker.create_tasks('test', 'other', array(select jsonb_build_object('n', i) from generate_series(1, 200) as i));
create function pg_temp.claim(p_limit integer) returns text language plpgsql as $$
declare
  v_claimed bigint;
begin
  update tasker.timers set xact = 0;
  select count(*) into v_claimed from tasker.claim_steps('{test}', tasker_test.worker(), p_limit);
  return format(
    '%s claimed, %s not matched, %s complete', v_claimed, (select count(*) from tasker.timers as m where m.kind = 'match_wait'),
    (select count(*) from tasker.workflow_steps as s where s.state = 'complete')
  );
end;
$$;
select is(pg_temp.claim(1), '1 claimed, 188 not matched, 0 complete', 'a claim of one step matches 12 steps that have begun to wait');
select is(pg_temp.claim(80), '80 claimed, 148 not matched, 0 complete', 'a claim of 80 steps matches 40');
select tasker_test.fire_notes();
select tasker_test.emit('market_open');
select is(pg_temp.claim(1), '1 claimed, 0 not matched, 5 complete', 'a claim of one step delivers the event to five steps');
select is(pg_temp.claim(80), '80 claimed, 0 not matched, 45 complete', 'a claim of 80 steps delivers it to 40');
select is((select b.delivered_at is null from tasker.broadcasts as b), true, 'the event is not marked as delivered while steps are left');
select is(pg_temp.claim(38), '38 claimed, 0 not matched, 64 complete', 'a claim that takes all ready steps delivers it to half as many');
select is(pg_temp.claim(1), '0 claimed, 0 not matched, 169 complete', 'a claim that finds no step delivers it to a hundred more');
select tasker_test.fire_notes();
select is((select b.delivered_at is not null from tasker.broadcasts as b), true, 'later calls deliver it to the others');
select is(
  (select count(*) || ' ' || count(distinct (r.task_uuid, r.step_no)) from tasker.broadcast_receipts as r), '200 200', 'each step gets it once'
);
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
