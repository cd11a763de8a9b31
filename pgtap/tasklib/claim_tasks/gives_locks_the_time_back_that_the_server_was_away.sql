begin;
select plan(7);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
truncate tasklib.lock_clock;
select tasker_test.register_echo();
select tasker_test.echo() as kept \gset
select tasker_test.echo() as lost \gset

select tasker_test.claim_echo(2, 'w');
select results_eq(
  'select c.heard_since from tasklib.lock_clock as c', $$ values ('2026-03-01 12:00+00'::timestamptz) $$,
  'the first claim records since when the server is reachable'
);

-- The server restarts: the lock of ten minutes ends while it is away.
update tasklib.lock_clock set server_started_at = pg_postmaster_start_time() - interval '1 microsecond';
select tasker_test.pass('15 minutes');
select is_empty(
  $$ select * from tasker_test.claim_echo(2, 'other') $$, 'locks that ended while no worker could extend them do not count'
);
select is(tasklib.recover_dead(), 0, 'recover_dead finds no lost task either');
select tasker_test.pass('8 minutes');
select results_eq(
  format('select o.outcome from tasklib.extend_locks(%L, array[%L]::uuid[], array[1]) as o', 'w', :'kept'),
  $$ values ('extended') $$, 'the worker extends a lock, as it would have done before'
);
select tasker_test.pass('121 seconds');
select results_eq(
  $$ select c.id from tasker_test.claim_echo(2, 'other') as c $$, format('values (%L::uuid)', :'lost'),
  'a lock that its worker did not extend ends one lock''s time after the server''s return'
);

-- Crash recovery empties the table.
truncate tasklib.lock_clock;
select tasker_test.pass('15 minutes');
select is_empty($$ select * from tasker_test.claim_echo(2, 'third') $$, 'nor after crash recovery');
select tasker_test.pass('10 minutes');
select is(
  (select count(*) from tasker_test.claim_echo(2, 'third')), 2::bigint, 'and once more, one lock''s time later other workers get the tasks'
);

select * from finish();
rollback;
