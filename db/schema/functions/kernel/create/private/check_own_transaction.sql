create or replace function tasker.check_own_transaction()
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if pg_current_xact_id_if_assigned() is not null then
    raise exception using
      errcode = 'TK409',
      message = 'starting a task needs its own transaction',
      detail  = 'This transaction has already written; until it commits, the steps would run without their task.',
      hint    = 'In a transaction with your own writes use tasker.create_task(); a worker claims its steps after the commit.';
  end if;
end;
$$;

comment on function tasker.check_own_transaction is
$$Raises TK409 if the transaction has already written. It cannot distinguish a transaction that has only read from a new transaction.$$;
