create or replace function tasker.drop_own_pgmq()
  returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if tasker.pgmq_kind() <> 'own' then
    return false;
  end if;
  perform tasker.drop_schema_quietly('pgmq');
  return true;
end;
$$;

comment on function tasker.drop_own_pgmq is
$$Drops schema pgmq with all queues if pgtasker installed it. Keeps an extension or another role's pgmq and returns false.$$;
