create or replace function tasker.plain_definition(p_text text)
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return regexp_replace(regexp_replace(p_text, '[a-z_][a-z_0-9]*\.', '', 'g'), '[\s()]+', '', 'g');
end;
$$;

comment on function tasker.plain_definition is
$$Returns the text of a query without the parts that different versions of PostgreSQL print differently: qualifications,
brackets and white space.$$;
