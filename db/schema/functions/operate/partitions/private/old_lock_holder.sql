create or replace function tasker.old_lock_holder(p_relations regclass[])
  returns text
  language plpgsql
  volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_until  timestamptz := clock_timestamp() + 5 * tasker.partition_lock_budget();
  v_early  text[];
  v_holder text;
begin
  select array_agg(distinct l.virtualtransaction)
    into v_early
    from pg_locks as l
   where l.relation = any (p_relations)
     and l.database = (select d.oid from pg_database as d where d.datname = current_database())
     and l.granted
     and l.pid is distinct from pg_backend_pid();

  -- Query pg_locks, which blocks no session. A queued lock would block all later sessions.
  loop
    select format('process %s holds %s on %s', coalesce(l.pid::text, '(prepared)'), l.mode, l.relation::regclass)
      into v_holder
      from pg_locks as l
     where l.virtualtransaction = any (v_early)
       and l.relation = any (p_relations)
       and l.database = (select d.oid from pg_database as d where d.datname = current_database())
       and l.granted
     limit 1;
    exit when not found or clock_timestamp() > v_until;
    perform pg_sleep(0.01);
  end loop;
  return v_holder;
end;
$$;

comment on function tasker.old_lock_holder is
$$Returns a description of a transaction that holds a lock on one of these tables for more than five times as long as
one drop may wait for locks. Returns null if there is no such transaction. Waits until shorter transactions have ended,
without queueing for a lock.$$;
