-- The function uses "begin atomic" and does not pin search_path, because it must see the caller's search_path.
-- pg_partman sets the search_path for the whole session.
create or replace function tasker.ensure_partitions()
  returns integer
  language sql
  security definer
begin atomic
  select tasker.make_partitions(current_setting('search_path'));
end;

comment on function tasker.ensure_partitions is
$$Creates the missing ranges from the current range to the configured number of ranges ahead, and returns how many
ranges it created. Each call creates at most 32 ranges, so call this function until it returns 0.

Idempotent. Locks the row "partitions" of tasker.turns, and for a new range the row of tasker.settings_now. Returns 0 if
another session keeps the row "partitions" locked for longer than a second. pg_partman creates the ranges if it is
installed and can do so, otherwise the built-in manager creates them. tasker.partition_status says which manager is
used, and why. Maintenance calls this function in its own transaction. Do not call it inside a client's transaction.$$;

grant execute on function tasker.ensure_partitions to tasker_orchestrator, tasker_operator;
