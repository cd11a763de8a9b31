create or replace function tasker.measure_storage()
  returns setof tasker.incident_measures
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query
  select
    'partitions', 'partitions', 'ahead', null::text, 'partitions',
    'No partition covers the tasks that are created now',
    tasker.incident_severity('partitions', 'ahead', extract(epoch from tasker.clock() - p.until)), p.until, 1::bigint, '{}'::jsonb
  from (select coalesce(max(r.ends_at), tasker.clock()) as until from tasker.partition_ranges as r) as p
  where p.until <= tasker.clock()
  union all
  select
    'retention', 'retention', 'held', null::text, 'retention',
    format(case when p.ranges = 1 then '%s range is kept past its retention' else '%s ranges are kept past their retention' end, p.ranges),
    tasker.incident_severity('retention', 'held', extract(epoch from tasker.clock() - p.since)), p.since, p.ranges,
    jsonb_build_object('seconds', round(extract(epoch from tasker.clock() - p.since)))
  from (
    select min(coalesce(m.begun_at, r.ends_at + c.retention)) as since, count(*) as ranges
      from tasker.partition_config as c
      join tasker.partition_ranges as r
        on r.ends_at <= tasker.clock() - c.retention
      left join tasker.kept_moves as m
        on m.starts_at = r.starts_at
     -- An evacuated range has only the tasks that hold it, so it counts only if it is being moved again.
     where r.evacuations = 0
        or m.starts_at is not null
  ) as p
  where tasker.incident_severity('retention', 'held', extract(epoch from tasker.clock() - p.since)) > 0
  union all
  select
    'vacuum:snapshot', 'vacuum', 'snapshot', null::text, 'snapshot',
    'An old transaction keeps dead rows',
    tasker.incident_severity('vacuum', 'snapshot', extract(epoch from clock_timestamp() - x.since)), x.since, 1::bigint,
    jsonb_build_object('seconds', round(extract(epoch from clock_timestamp() - x.since)))
  from (select tasker.oldest_transaction() as since) as x
  where tasker.incident_severity('vacuum', 'snapshot', extract(epoch from clock_timestamp() - x.since)) > 0
  union all
  select
    'vacuum:wraparound', 'vacuum', 'wraparound', null::text, 'wraparound',
    'Autovacuum does not keep up with transaction numbers',
    tasker.incident_severity('vacuum', 'wraparound', x.age), tasker.clock(), 1::bigint,
    jsonb_build_object('transactions', x.age)
  from (select age(d.datfrozenxid) as age from pg_database as d where d.datname = current_database()) as x
  where tasker.incident_severity('vacuum', 'wraparound', x.age) > 0
  union all
  select
    'disk', 'disk', 'share', null::text, 'disk',
    format('The database takes %s GB of %s', round(x.bytes / 1073741824.0, 1), x.gigabytes),
    tasker.incident_severity('disk', 'share', x.bytes / (x.gigabytes * 1073741824.0)), tasker.clock(), 1::bigint,
    jsonb_build_object('bytes', x.bytes)
  from (
    select pg_database_size(current_database()) as bytes, s.gigabytes
      from (select tasker.setting_integer('disk_gigabytes') as gigabytes offset 0) as s
     where s.gigabytes > 0
  ) as x
  where tasker.incident_severity('disk', 'share', x.bytes / (x.gigabytes * 1073741824.0)) > 0
  union all
  select
    'connections', 'connections', 'share', null::text, 'connections',
    format('%s of %s connections are in use', c.used, c.allowed),
    tasker.incident_severity('connections', 'share', c.used::double precision / c.allowed), tasker.clock(), c.used, '{}'::jsonb
  from (
    select coalesce(sum(d.numbackends), 0)::bigint as used, current_setting('max_connections')::integer as allowed
      from pg_stat_database as d
  ) as c
  where tasker.incident_severity('connections', 'share', c.used::double precision / c.allowed) > 0;
end;
$$;

comment on function tasker.measure_storage is
$$Returns dangers to the database: no partition for new tasks, ranges that are kept past their retention, a full disk,
old transactions, old transaction ids, or few free connections.$$;
