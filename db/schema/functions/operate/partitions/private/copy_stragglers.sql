create or replace function tasker.copy_stragglers(p_task_uuids uuid[], p_from_suffixes text[], p_to_suffix text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table   text;
  v_columns text;
  v_suffix  text;
begin
  for v_table in select t.table_name from tasker.partitioned_tables as t order by t.position loop
    select string_agg(quote_ident(a.attname), ', ' order by a.attnum)
      into v_columns
      from pg_attribute as a
     where a.attrelid = format('tasker.%I', v_table)::regclass
       and a.attnum > 0
       and not a.attisdropped
       and a.attgenerated = '';

    foreach v_suffix in array p_from_suffixes loop
      execute format(
        'insert into tasker.%1$I (%2$s) select %2$s from tasker.%3$I as o where o.task_uuid = any ($1)',
        v_table || '_' || p_to_suffix, v_columns, v_table || '_' || v_suffix
      ) using p_task_uuids;
    end loop;
  end loop;
end;
$$;

comment on function tasker.copy_stragglers is
$$Copies all rows of some tasks, unchanged, from partitions to new tables that have no triggers yet.$$;
