create or replace function tasker.administered_table(p_kind text)
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return case when p_kind like '%.%' then p_kind else 'tasker.' || p_kind end;
end;
$$;

comment on function tasker.administered_table is
$$Returns the table of an administered kind with its schema, which the kind names unless it is tasker.$$;
