create or replace function tasker.refuse_recovery()
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Without this check, the first read of an unlogged table would raise 0A000.
  if pg_is_in_recovery() then
    delete from tasker.turns as t where false;
  end if;
end;
$$;

comment on function tasker.refuse_recovery is
$$Raises 25006 on a standby, as every writing statement there does. Functions that use an unlogged table before they write call this function.$$;
