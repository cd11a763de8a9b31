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
      message = 'a task is started in a transaction of its own',
      detail  = 'This transaction has written already; until it commits, its steps would run without their task.',
      hint    = 'Use tasker.create_task() in a transaction with writes of your own; a worker claims its steps after the commit.';
  end if;
end;
$$;

comment on function tasker.check_own_transaction() is
$$Raises TK409 if the transaction has written already. One that has only read cannot be told from a new one.$$;

revoke all on function tasker.check_own_transaction() from public;
