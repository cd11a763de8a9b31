create or replace function tasker.estimated_rows(p_table regclass)
  returns bigint
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- After a crash the activity statistics are lost, and the statistics of the last vacuum may be old. So the larger
  -- number is the better estimate.
  return greatest(
    pg_stat_get_live_tuples(p_table),
    (select c.reltuples from pg_class as c where c.oid = p_table),
    0
  )::bigint;
end;
$$;

comment on function tasker.estimated_rows is
$$Estimates how many rows a table has, without reading it.$$;
