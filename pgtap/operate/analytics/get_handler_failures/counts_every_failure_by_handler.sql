begin;
select plan(4);

select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker_test.register('order', 'charge');
select tasker_test.register('parcel', 'pack');
select tasker_test.launch(n) from unnest('{order,order,order,parcel}'::text[]) as n;
create temporary table claimed as select c.step_uuid, c.claim_no, row_number() over (order by c.step_uuid) as no from tasker_test.claim() as c;
select count(*) from tasker.fail_steps(
  array(select c.step_uuid from claimed as c order by c.no), array(select c.claim_no from claimed as c order by c.no), array_fill('it broke'::text, array[4]), array_fill(true, array[4])
);
select tasker_test.pass('2 min');
select count(*) from tasker.run_maintenance('rollups');
select results_eq(
  $$ select f.bucket_start, f.handler, f.failures from tasker.get_handler_failures() as f $$,
  $$ values ('2026-11-21 10:00:00Z'::timestamptz, 'charge', 3::bigint), ('2026-11-21 10:00:00Z', 'pack', 1) $$, 'each handler has its failures of a minute'
);
select is((select sum(f.failures) from tasker.get_handler_failures(p_bucket => '1 hour') as f), 4::numeric, 'longer periods add them up');
select is_empty($$ select tasker.get_handler_failures(p_namespace => 'elsewhere') $$, 'another namespace has none of them');
select throws_ok($$ select tasker.get_handler_failures(p_bucket => '90 seconds') $$, 'TK422', 'throughput cannot be divided into periods of 00:01:30', 'a period that is no whole minutes is refused');

select * from finish();
rollback;
