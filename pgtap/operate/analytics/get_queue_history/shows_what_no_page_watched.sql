begin;
select plan(9);

select tasker_test.freeze('2026-11-21 10:00:30Z');
prepare hour as select h.bucket_start, h.ready, h.leased, h.oldest_seconds from tasker.get_queue_history() as h where h.ready + h.leased > 0;
select count(*) from tasker.run_maintenance('rollups');
select is_empty('execute hour', 'empty queues leave no rows');
select is((select count(*) from tasker.get_queue_history()), 61::bigint, 'but each minute is shown');

select tasker_test.register('order', 'charge');
select tasker_test.launch('order') from generate_series(1, 3);
select tasker_test.pass('30 seconds');
select count(*) from tasker.run_maintenance('rollups');
select results_eq('execute hour', $$ values ('2026-11-21 10:01:00Z'::timestamptz, 3::bigint, 0::bigint, 30::double precision) $$, 'a minute has its queues, and how long their first step waited');
select from tasker_test.claim(2);
select tasker_test.pass('10 seconds');
select count(*) from tasker.run_maintenance('rollups');
select results_eq('execute hour', $$ values ('2026-11-21 10:01:00Z'::timestamptz, 1::bigint, 2::bigint, 40::double precision) $$, 'the newest look at a minute counts');
select tasker.pause_namespace('test', 'ann');
select tasker_test.pass('50 seconds');
select count(*) from tasker.run_maintenance('rollups');
select results_eq(
  $$ select h.ready > 0, h.oldest_seconds from tasker.get_queue_history() as h where h.bucket_start = '2026-11-21 10:02:00Z' $$,
  $$ values (true, 0::double precision) $$, 'steps of a paused namespace do not wait for a worker'
);
select results_eq(
  $$ select max(h.ready) from tasker.get_queue_history(p_bucket => '15 minutes') as h $$, 'values (3::bigint)', 'a longer part has the most of its minutes'
);
select is_empty($$ select from tasker.get_queue_history(p_namespace => 'elsewhere') as h where h.ready > 0 $$, 'a namespace has its own');
select throws_ok($$ select tasker.get_queue_history(p_bucket => '-1 minute') $$, 'TK422', 'throughput cannot be divided into periods of -00:01:00', 'a part below zero is refused');
select tasker_test.pass('8 days');
delete from tasker.step_queue;
select count(*) from tasker.run_maintenance('rollups');
select is_empty('select from tasker.queue_history', 'a week is kept');

select * from finish();
rollback;
