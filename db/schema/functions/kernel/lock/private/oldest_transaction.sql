create or replace function tasker.oldest_transaction()
  returns timestamptz
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select min(o.since)
      from (
        select a.xact_start from pg_stat_activity as a where a.backend_xmin is not null or a.backend_xid is not null
        union all
        select p.prepared from pg_prepared_xacts as p
      ) as o (since)
  );
end;
$$;

comment on function tasker.oldest_transaction is
$$Returns the beginning of the oldest open transaction among the sessions that tasker_owner may see, or null if no transaction is open. Prepared transactions also count.$$;
