create or replace function tasker.check_fresh_snapshots()
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception using
      errcode = 'TK409',
      message = format('partitions are not dropped at isolation level %s', current_setting('transaction_isolation')),
      detail  = 'Its snapshot is older than the locks, and would not show a task that was opened again meanwhile.',
      hint    = 'Call it in a transaction of its own at level read committed.';
  end if;
end;
$$;

comment on function tasker.check_fresh_snapshots() is
$$Raises TK409 unless each statement of this transaction sees what was committed before it.$$;

revoke all on function tasker.check_fresh_snapshots() from public;
