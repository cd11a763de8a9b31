begin;
select plan(4);

select tasker_test.freeze_tasklib(date_trunc('second', now()));
select tasker_test.register_echo();
select tasker_test.register_echo(p_name => 'idle');
select tasklib.submit_tasks('echo', array_fill('{}'::jsonb, array[6]));
select tasker_test.echo(1, 0, 3600);
create temporary table c as select *, row_number() over () as n from tasker_test.claim_echo(4);
select tasker_test.pass('4 seconds');
select tasker_test.complete_echo(c.id) from c where n = 1;
select tasker_test.fail_echo(c.id, 1, 'x', true) from c where n = 2;
select tasker_test.fail_echo(c.id, 1, 'x') from c where n = 3;

select results_eq(
  $$ select s.name, s.ready, s.waiting, s.running, s.failed, s.submitted, s.completed, s.retried, s.mean_run_seconds, s.mean_wait_seconds is not null
       from tasklib.stats() as s $$,
  $$ values ('echo', 2::bigint, 2::bigint, 1::bigint, 1::bigint, 7::bigint, 1::bigint, 1::bigint, 4::double precision, true),
            ('idle', 0, 0, 0, 0, 0, 0, 0, null, false) $$, 'stats counts the tasks of each state'
);
select is((select s.oldest_ready_at from tasklib.stats('echo') as s), date_trunc('second', now()), 'oldest_ready_at is the time when the oldest ready task became due');
select throws_ok($$ select tasklib.stats('unknown') $$, 'TK404', 'no task is registered as "unknown"', 'a name that is not registered is refused');
select throws_ok($$ select tasklib.stats(p_since_seconds => -1) $$, 'TK422', 'there are no statistics of the last -1 seconds', 'a negative period is refused');

select * from finish();
rollback;
