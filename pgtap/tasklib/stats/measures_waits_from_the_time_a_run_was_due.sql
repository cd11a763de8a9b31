begin;
select plan(4);

select tasker_test.freeze_tasklib(date_trunc('second', now()));
select tasklib.register_task('h', '{"base_retry_delay_seconds": 3600}');
select tasklib.submit_task('h', '{}');
select tasker_test.pass('2 seconds');
create temporary table c as select * from tasklib.claim_tasks('{h}', 'w', 10);
select is((select s.mean_wait_seconds from tasklib.stats('h') as s), 2::double precision, 'the task waited for two seconds');
select tasklib.fail_tasks('w', array_agg(c.id), array_agg(c.claim_no), array['x']) from c;
select is((select s.mean_wait_seconds is null from tasklib.stats('h') as s), true, 'the wait of a run that has not begun is not known');
select tasker_test.pass('3601 seconds');
select results_eq(
  $$ select s.ready, s.waiting, s.oldest_ready_at from tasklib.stats('h') as s $$,
  $$ select 1::bigint, 0::bigint, tasklib.clock() - interval '1 second' $$,
  'a retry that is due counts as ready before any worker has claimed'
);
select tasker_test.pass('2 seconds');
select tasklib.claim_tasks('{h}', 'w', 10);
select is((select s.mean_wait_seconds from tasklib.stats('h', 86400) as s), 3::double precision, 'the wait of a retry begins when it is due');

select * from finish();
rollback;
