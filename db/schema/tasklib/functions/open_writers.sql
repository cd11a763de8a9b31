create or replace function tasklib.open_writers(p_writers bigint[] default null)
  returns bigint[]
  language sql
  security definer
  set search_path = pg_catalog, pg_temp
begin atomic
  select tasker.open_writers(p_writers);
end;

comment on function tasklib.open_writers is
$$Returns the transactions that were running when the caller fell asleep. These transactions may have queried sleepers before the caller's mark was committed, and so end without a notification. Given an earlier answer, returns its transactions that are still running. A client queries again when one of these transactions has ended.

Takes a transaction number. Call this function in its own transaction, after the transaction of mark_sleeping. Locks nothing. Raises TK409 above READ COMMITTED.$$;

grant execute on function tasklib.open_writers
  to tasklib_worker;
