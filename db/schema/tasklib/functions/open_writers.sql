create or replace function tasklib.open_writers(p_writers bigint[] default null)
  returns bigint[]
  language sql
  security definer
  set search_path = pg_catalog, pg_temp
begin atomic
  select tasker.open_writers(p_writers);
end;

comment on function tasklib.open_writers is
$$Returns the numbers of the transactions that are running when the caller falls asleep. These transactions may have read tasklib.sleepers before the caller's mark was committed, so they may submit tasks without a notification. If p_writers is the result of an earlier call, returns the transactions of p_writers that are still running. A client claims again when one of these transactions has ended.

Assigns a transaction number to its own transaction. Call this function in its own transaction, after the transaction of mark_sleeping. Locks nothing. Raises TK409 above READ COMMITTED.$$;

grant execute on function tasklib.open_writers
  to tasklib_worker;
