create or replace function tasker.doctor_locks()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  -- The number of locks of a session that moves steps: 135 with 8 ranges, 275 with 18.
  v_each integer := (select 23 + 14 * count(*) from tasker.partition_ranges as r);
  v_pool integer := current_setting('max_locks_per_transaction')::integer
    * (current_setting('max_connections')::integer + current_setting('max_prepared_transactions')::integer);
begin
  return query
  select
    'locks',
    case when v_pool / v_each < 5 then 'fail' when v_pool / v_each < 20 then 'warn' else 'ok' end,
    format('room for %s sessions at once, each with %s locks', v_pool / v_each, v_each),
    case when v_pool / v_each < 20 then
      format(
        'Raise max_locks_per_transaction from %s to %s (the server must restart), or use fewer partitions.',
        current_setting('max_locks_per_transaction'),
        ceil(20.0 * v_each / (current_setting('max_connections')::integer + current_setting('max_prepared_transactions')::integer))
      )
    end;
end;
$$;

comment on function tasker.doctor_locks is
$$Checks that the server's lock table has room for sessions that touch all partitions.$$;
