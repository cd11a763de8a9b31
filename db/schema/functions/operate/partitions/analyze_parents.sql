create or replace function tasker.analyze_parents(p_older_than interval default interval '1 day')
  returns text
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table text;
begin
  perform tasker.check_period('age', p_older_than);
  if not tasker.take_partition_turn() then
    return null;
  end if;

  select t.table_name
    into v_table
    from tasker.partitioned_tables as t
   cross join lateral pg_stat_get_last_analyze_time(format('tasker.%I', t.table_name)::regclass) as s (analyzed_at)
   where s.analyzed_at is null
      or s.analyzed_at < clock_timestamp() - coalesce(p_older_than, interval '1 day')
   order by s.analyzed_at nulls first, t.position
   limit 1;
  if found then
    execute format(
      case when current_setting('server_version_num')::integer >= 180000 then 'analyze only tasker.%I' else 'analyze tasker.%I' end,
      v_table
    );
  end if;
  return v_table;
end;
$$;

comment on function tasker.analyze_parents is
$$Analyzes the run table with the oldest statistics if they are older than p_older_than (default: a day), and returns
the name of the table. Returns null if no table is due. Autovacuum analyzes partitions, but never their parents. Call
this function until it returns null.

Locks the row "partitions" of tasker.turns, so that other sessions cannot create or drop partitions while this function
runs. On large tables it runs for some seconds. Does not block readers or writers. Call this function in its own
transaction.$$;

grant execute on function tasker.analyze_parents to tasker_orchestrator, tasker_operator;
