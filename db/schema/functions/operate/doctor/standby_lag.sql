create or replace function tasker.standby_lag()
  returns double precision
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not pg_is_in_recovery() then
    return null;
  end if;
  -- An idle primary commits nothing. So a connected standby that has replayed all that it received is not behind.
  if pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() and exists (select from pg_stat_wal_receiver) then
    return 0;
  end if;
  return extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp());
end;
$$;

comment on function tasker.standby_lag is
$$Returns how many seconds this standby is behind its primary, according to the time of the last transaction that it
replayed. Returns null on a primary, and on a standby that has not replayed a transaction.$$;

grant execute on function tasker.standby_lag
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader, tasker_server;
