create or replace function tasker.describe_server(p_namespaces text[], p_counts tasker.system_health_counts)
  returns tasker.system_health_counts
  language plpgsql
  stable
as $$
declare
  v_counts tasker.system_health_counts := p_counts;
begin
  v_counts.active_connections := (select coalesce(sum(d.numbackends), 0) from pg_stat_database as d);
  v_counts.max_connections := current_setting('max_connections');
  v_counts.partitions_until := (select max(r.ends_at) from tasker.partition_ranges as r);
  v_counts.oldest_transaction_seconds :=
    coalesce(extract(epoch from clock_timestamp() - tasker.oldest_transaction()), 0);
  v_counts.standby := pg_is_in_recovery();
  v_counts.standby_lag_seconds := tasker.standby_lag();
  v_counts.diverged_steps := tasker.count_diverged_steps(p_namespaces);
  return v_counts;
end;
$$;

comment on function tasker.describe_server is
$$Returns p_counts with the counts that do not come from tasks: connections, partitions, the oldest transaction, the
standby, and steps whose function has changed. Counts only steps of these namespaces. Null means all namespaces.$$;
