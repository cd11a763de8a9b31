begin;
select plan(1);

select pgmq.acquire_queue_lock('tap_locked');
select is(
  (select count(*)::integer from pg_locks as l
    where l.locktype = 'advisory' and l.pid = pg_backend_pid() and l.mode = 'ExclusiveLock'
      and l.objid::bigint = hashtext('pgmq.queue_tap_locked')::bigint & x'ffffffff'::bigint),
  1, 'the lock has the key that clients of pgmq know'
);

select * from finish();
rollback;
