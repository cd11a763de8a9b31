create or replace function tasker.doctor_snapshots()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_age bigint;
  v_who text;
begin
  select h.age, h.who
    into v_age, v_who
    from (
      select age(a.backend_xmin)::bigint, format('session %s of %s', a.pid, a.usename)
        from pg_stat_activity as a
       where a.backend_xmin is not null
         and a.datname = current_database()
         and a.pid <> pg_backend_pid()
      union all
      select age(p.transaction)::bigint, format('prepared transaction "%s" of %s', p.gid, p.owner)
        from pg_prepared_xacts as p
       where p.database = current_database()
      union all
      select age(s.xmin)::bigint, format('replication slot "%s"', s.slot_name)
        from pg_replication_slots as s
       where s.xmin is not null
    ) as h (age, who)
   order by h.age desc
   limit 1;

  return query
  select
    'snapshots',
    case when v_age >= 5000000 then 'fail' when v_age >= 100000 then 'warn' else 'ok' end,
    case when v_age is null then 'nothing keeps vacuum from removing dead rows'
         when tasker.bound_namespaces() is not null then format('the oldest snapshot is %s transactions old', v_age)
         else format('the oldest snapshot is %s transactions old: %s', v_age, v_who)
    end,
    case when v_age >= 100000 then
      'Vacuum cannot remove rows that died since; queue and timers become slower to read. End it, or find out why it takes so long.'
    end;
end;
$$;

comment on function tasker.doctor_snapshots is
$$Finds the session, prepared transaction or replication slot that keeps vacuum from removing dead rows, and says for
how many transactions it has done so. The harm grows with the number of transactions, not with time.$$;
