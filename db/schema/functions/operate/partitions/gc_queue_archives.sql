create or replace function tasker.gc_queue_archives(p_limit integer default 5000)
  returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_limit   integer := coalesce(p_limit, 5000);
  v_before  timestamptz;
  v_archive regclass;
  v_now     integer;
  v_deleted integer := 0;
begin
  perform tasker.check_unbound();
  perform tasker.check_limit(v_limit, 100000);
  perform tasker.check_pgmq_access('usage');
  select tasker.clock() - c.retention into strict v_before from tasker.partition_config as c;

  -- Purge only archives of the queues of namespaces and of the engine. The owners of other archives purge them.
  -- Find the archives by name and not by pgmq's list, which tasker_owner may not be allowed to read. Partitioned
  -- archives are left to the role that partitioned them.
  for v_archive in
    select k.oid::regclass
      from pg_class as k
      join pg_class as q
        on q.relnamespace = k.relnamespace
       and q.relname = 'q' || substr(k.relname, 2)
     where k.relnamespace = to_regnamespace('pgmq')
       and k.relkind = 'r'
       and not k.relispartition
       and k.relname ~ '^a_(worker_.+_queue(_high|_low)?|orchestration.*)$'
       and has_table_privilege(k.oid, 'select')
       and has_table_privilege(k.oid, 'delete')
       and tasker.pgmq_table_is_trusted(k.oid)
     order by k.relname
  loop
    execute format(
      $sql$
        delete from %1$s as a
         using (
           select o.msg_id
             from %1$s as o
            where o.archived_at < $1
            order by o.archived_at
            limit $2
              for update skip locked
         ) as d
         where a.msg_id = d.msg_id
      $sql$,
      v_archive
    ) using v_before, v_limit - v_deleted;
    get diagnostics v_now = row_count;
    v_deleted := v_deleted + v_now;
    exit when v_deleted >= v_limit;
  end loop;
  return v_deleted;
end;
$$;

comment on function tasker.gc_queue_archives is
$$Deletes at most p_limit archived messages (default 5,000) that are older than the retention, from the queues of
namespaces and of the engine. Returns how many it deleted. Call this function until it returns 0.

Idempotent. Locks the messages that it deletes. Skips other queues of pgmq, partitioned archives, archives that
tasker_owner may not read or delete from, and archives of a role whose triggers must not run with the rights of
tasker_owner. Raises TK422 for a limit below 1 or above 100000, and TK403 if tasker_owner may not use schema pgmq.$$;

grant execute on function tasker.gc_queue_archives to tasker_orchestrator, tasker_operator;
