create or replace function tasker.describe_lock_holder(p_xid xid, p_table oid)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound  boolean := tasker.bound_namespaces() is not null;
  v_holder text;
begin
  select format(
      'Process %s%s has it locked, in a transaction since %s.',
      l.pid, case when not v_bound then format(' of role "%s"', a.usename) end, coalesce(a.xact_start::text, 'unknown')
    )
    into v_holder
    from pg_locks as l
    left join pg_stat_activity as a
      on a.pid = l.pid
   where l.locktype = 'transactionid'
     and l.transactionid = p_xid
     and l.granted
   limit 1;
  if v_holder is null then
    -- If the number belongs to a subtransaction, find its transaction, which has an older number and does not wait
    -- itself.
    select format(
        'Process %s%s may have it locked, in a transaction since %s.',
        l.pid, case when not v_bound then format(' of role "%s"', a.usename) end, coalesce(a.xact_start::text, 'unknown')
      )
      into v_holder
      from pg_locks as l
      join pg_stat_activity as a
        on a.pid = l.pid
      join pg_locks as x
        on x.pid = l.pid
       and x.locktype = 'transactionid'
       and x.granted
     where l.locktype = 'relation'
       and l.database = (select d.oid from pg_database as d where d.datname = current_database())
       and l.relation = p_table
       and l.mode in ('RowShareLock', 'RowExclusiveLock', 'ShareUpdateExclusiveLock', 'AccessExclusiveLock')
       and l.granted
       and l.pid <> pg_backend_pid()
       and age(x.transactionid) >= age(p_xid)
       and not exists (select from pg_locks as w where w.pid = l.pid and not w.granted)
     order by age(x.transactionid)
     limit 1;
  end if;
  return coalesce(v_holder, 'The transaction that held it has ended meanwhile.');
end;
$$;

comment on function tasker.describe_lock_holder is
$$Returns a sentence about the transaction that holds a row: it names the process and, unless the caller is bound to namespaces, the role. The row is given by its xmax and its table.$$;
