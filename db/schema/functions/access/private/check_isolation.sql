create or replace function tasker.check_isolation()
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if current_setting('transaction_isolation') in ('repeatable read', 'serializable') then
    raise exception using
      errcode = 'TK409',
      message = format('this function does not run in a transaction of isolation level %s', current_setting('transaction_isolation')),
      detail  = 'It reads what others have committed since the transaction began.',
      hint    = 'Call it in READ COMMITTED, best in a transaction of its own.';
  end if;
end;
$$;

comment on function tasker.check_isolation() is
$$Raises TK409 unless the transaction sees what others commit while it runs.$$;

revoke all on function tasker.check_isolation() from public;
