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
$$Returns the table, with its schema, of a kind of administered object. The kind includes the schema unless the schema is tasker.$$;
