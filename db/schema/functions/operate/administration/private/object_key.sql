create or replace function tasker.object_key(p_kind tasker.administered_tables, p_row jsonb)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return concat_ws(
    '/', case when p_kind.name = 'named_tasks' then (tasker.object_namespaces('named_tasks', p_row))[1] end,
    (select string_agg(p_row ->> k.name, '/' order by k.no) from unnest(p_kind.key_columns) with ordinality as k (name, no))
  );
end;
$$;

comment on function tasker.object_key is
$$Returns the name of an object in the log of administration: the values of its key columns with slashes in between. The
name of a template begins with its namespace.$$;
