create or replace function tasker.take_partition_turn()
  returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_until timestamptz := clock_timestamp() + interval '1 second';
begin
  -- Jobs of one schedule begin in the same moment; most are done in a few milliseconds.
  while not pg_try_advisory_xact_lock(hashtextextended('tasker.partitions', 0)) loop
    if clock_timestamp() > v_until then
      return false;
    end if;
    perform pg_sleep(0.02);
  end loop;
  return true;
end;
$$;

comment on function tasker.take_partition_turn() is
$$Keeps other sessions from making or dropping partitions until the transaction ends; false if one is at it for longer than a second.$$;

revoke all on function tasker.take_partition_turn() from public;
