create or replace function tasker.doctor_locks()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_ranges integer := (select count(*) from tasker.partition_ranges as r);
  -- Measured for an exchange of results and claims: 69 locks with 4 ranges, 99 with 7 ranges, 159 with 13, 322 with 29.
  v_each   integer := 29 + 10 * v_ranges;
  -- The first exchange of a session also plans its queries, which locks all indexes of all partitions. Measured: 166
  -- locks with 4 ranges, 256 with 7 ranges, 436 with 13, 916 with 29.
  v_first  integer := 46 + 30 * v_ranges;
  v_slots  integer := current_setting('max_connections')::integer + current_setting('max_prepared_transactions')::integer;
  v_pool   integer := current_setting('max_locks_per_transaction')::integer * v_slots;
  v_status text := case
    when v_pool / v_first < 5 then 'fail'
    when v_pool / v_first < 10 or v_pool / v_each < 20 then 'warn'
    else 'ok'
  end;
begin
  return query
  select
    'locks',
    v_status,
    format(
      'room for %s sessions at once, each with %s locks, or for %s that have just connected: the first call of each holds %s',
      v_pool / v_each, v_each, v_pool / v_first, v_first
    ),
    case when v_status <> 'ok' then
      format(
        'Raise max_locks_per_transaction from %s to %s (the server must restart), or use fewer partitions.',
        current_setting('max_locks_per_transaction'), ceil(greatest(20.0 * v_each, 10.0 * v_first) / v_slots)
      )
    end;
end;
$$;

comment on function tasker.doctor_locks is
$$Checks that the server's lock table has room for sessions that touch all partitions.$$;
