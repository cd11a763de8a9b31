-- Not pinned but "begin atomic": it must see the caller's search_path, which pg_partman sets for the whole session.
create or replace function tasker.ensure_partitions()
  returns integer
  language sql
  security definer
begin atomic
  select tasker.make_partitions(current_setting('search_path'));
end;

comment on function tasker.ensure_partitions() is
$$Makes the ranges that are missing, from now to as many ahead as configured, and returns how many it made: at most 32 a call, so call it until it returns 0.

Idempotent. Locks the row partitions of tasker.turns; answers 0 while another session is at it for longer than a second. Made by pg_partman where it is installed and can do it, else by the built-in manager: tasker.partition_status says which, and why. To be called in a transaction of its own, by housekeeping: never inside a caller's.$$;

revoke all on function tasker.ensure_partitions() from public;
grant execute on function tasker.ensure_partitions() to tasker_orchestrator, tasker_operator;
