-- The function does not pin search_path and uses "begin atomic" instead, because it must see the caller's
-- search_path, which pg_partman sets for the whole session.
create or replace function tasker.ensure_partitions()
  returns integer
  language sql
  security definer
begin atomic
  select tasker.make_partitions(current_setting('search_path'));
end;

comment on function tasker.ensure_partitions is
$$Creates the missing ranges, from now to as many ahead as configured, and returns how many it created. It creates at most 32 a call, so call it until it returns 0.

Idempotent. Locks the row partitions of tasker.turns, and for a new range the row of tasker.settings_now. Returns 0 if another session holds the row partitions for longer than a second. pg_partman creates the ranges if it is installed and can do so, otherwise the built-in manager creates them. tasker.partition_status says which manager is used, and why. Call it from maintenance in its own transaction, never inside a client's.$$;

grant execute on function tasker.ensure_partitions to tasker_orchestrator, tasker_operator;
