create or replace function tasker.filter_list(p_filter jsonb, p_key text)
  returns text[]
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select array_agg(distinct e.value order by e.value)
      from jsonb_array_elements_text(p_filter -> p_key) as e (value)
  );
end;
$$;

comment on function tasker.filter_list is
$$Returns one list of a checked filter, sorted, or null if the filter does not have this list.$$;
