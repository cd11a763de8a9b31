-- The list and a judgement may read 15,000 buffers beside 1,000,000 finished and 100,000 failing tasks: make bench-incidents measures that.
begin;
select plan(7);

select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker_test.register('order', 'charge');
create function pg_temp.turn() returns bigint language sql as $$
  select min(tasker_test.buffers('select tasker.note_failures(5000)') + tasker_test.buffers('select tasker.judge_incidents()')) from generate_series(1, 3);
$$;
select tasker_test.judge() from generate_series(1, 30);
select cmp_ok(pg_temp.turn(), '<', 300::bigint, 'a turn of the duty reads less than 300 buffers where nothing fails');
select tasker_test.launch('order') from generate_series(1, 300);
create temporary table claimed as select c.step_uuid, c.claim_no, row_number() over () as no from tasker_test.claim(300) as c;
select count(*) from tasker.fail_steps(
  array(select c.step_uuid from claimed as c order by c.no), array(select c.claim_no from claimed as c order by c.no),
  array(select format('cause %s: order %s', chr((97 + c.no % 20)::integer), c.no) from claimed as c order by c.no), array_fill(true, array[300])
);
select tasker_test.judge();
select is((select count(*) from tasker.list_incidents() as i), 20::bigint, 'there are 20 causes');
select results_eq(
  $$ select s.fingerprint, sum(s.failed) from tasker.error_stands as s group by 1 order by 1 $$,
  $$ select e.fingerprint, count(*)::numeric from tasker.error_steps as e where e.stands = 'failed' group by 1 order by 1 $$, 'the steps of each cause are counted'
);
create function pg_temp.read() returns bigint language sql as $$
  select min(tasker_test.buffers('select m.incident from tasker.measure_incidents() as m')) from generate_series(1, 3);
$$;
select pg_temp.read() as before \gset
select tasker_test.launch('order') from generate_series(1, 1000);
select tasker_test.drain();
select tasker_test.pass('1 minute');
select from tasker.run_maintenance('rollups');
select cmp_ok(pg_temp.read(), '<', (:before + 500)::bigint, 'a thousand finished tasks more are not read');
select cmp_ok(pg_temp.read(), '<', 15000::bigint, 'a measure of all kinds with 20 causes reads less than 15,000 buffers');
select pg_temp.turn() as before_ended \gset
insert into tasker.incidents (incident, kind, rule, subject, what, severity, measured, since, above_at, judged_at, ended_at)
select 'failing:' || g, 'failing', 'first', 'charge', 'ended', 2, 0, tasker.clock(), tasker.clock(), tasker.clock(), tasker.clock() - interval '1 day' from generate_series(1, 20000) as g;
select cmp_ok(pg_temp.turn(), '<', (:before_ended + 400)::bigint, 'twenty thousand ended incidents more are not read');
update tasker.incident_watch set swept_task = null, swept_step = null;
select tasker.sweep_error_steps(100) from generate_series(1, 2);
select is(
  (select count(*) from tasker.error_steps as e cross join tasker.incident_watch as w where (e.task_uuid, e.step_no) <= (w.swept_task, w.swept_step)), 200::bigint,
  'a sweep goes on behind the last step that it checked'
);

select * from finish();
rollback;
