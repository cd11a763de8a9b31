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
      detail  = 'It must see what other transactions commit while it runs.',
      hint    = 'Call it in READ COMMITTED, preferably in its own transaction.';
  end if;
end;
$$;

comment on function tasker.check_isolation is
$$Raises TK409 unless the transaction is READ COMMITTED, because the engine must see the commits of other transactions.$$;
