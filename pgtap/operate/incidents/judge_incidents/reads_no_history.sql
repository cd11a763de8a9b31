-- The list may read 15,000 buffers beside 1,000,000 finished and 100,000 failing tasks: make bench-incidents measures that.
begin;
select plan(3);

select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker_test.register('order', 'charge');
select tasker_test.launch('order') from generate_series(1, 300);
create temporary table claimed as select c.step_uuid, c.claim_no, row_number() over () as no from tasker_test.claim(300) as c;
select count(*) from tasker.fail_steps(
  array(select c.step_uuid from claimed as c order by c.no), array(select c.claim_no from claimed as c order by c.no),
  array(select format('cause %s: order %s', chr((97 + c.no % 20)::integer), c.no) from claimed as c order by c.no), array_fill(true, array[300])
);
select tasker_test.judge();
select is((select count(*) from tasker.list_incidents() as i), 20::bigint, 'there are 20 causes');
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

select * from finish();
rollback;
