create or replace function tasker.take_partition_turn()
  returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '1s'
as $$
begin
  -- Jobs with the same schedule start at the same moment, and most of them take only a few milliseconds. So wait a
  -- little.
  perform from tasker.turns as t where t.name = 'partitions' for update;
  return true;
exception
  when lock_not_available then
    return false;
end;
$$;

comment on function tasker.take_partition_turn is
$$Prevents other sessions from creating or dropping partitions until the transaction ends. Returns false if another
session has been doing so for longer than a second.$$;
