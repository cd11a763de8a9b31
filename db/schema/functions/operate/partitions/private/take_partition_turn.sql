create or replace function tasker.take_partition_turn()
  returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '1s'
as $$
begin
  -- Jobs of one schedule start at the same moment. Most jobs take a few milliseconds.
  perform from tasker.turns as t where t.name = 'partitions' for update;
  return true;
exception
  when lock_not_available then
    return false;
end;
$$;

comment on function tasker.take_partition_turn is
$$Prevents other sessions from creating or dropping partitions until the transaction ends. Returns false if another session is doing so for longer than a second.$$;
