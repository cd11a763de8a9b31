create or replace function tasker.create_partition_range(p_starts_at timestamptz, p_ends_at timestamptz)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_range   tasker.partition_ranges;
  v_backend tasker.partition_backends;
  v_problem text;
begin
  insert into tasker.partition_ranges (starts_at, ends_at, suffix)
  values (
    p_starts_at,
    p_ends_at,
    to_char(p_starts_at, case
      when p_ends_at - p_starts_at < interval '1 day' then '"p"YYYYMMDD_HH24MISS'
      else '"p"YYYYMMDD'
    end)
  )
  returning * into v_range;

  select b.* into strict v_backend from tasker.partition_backend() as b;

  -- pg_partman creates whole intervals only. If it fails, the built-in manager takes over.
  if v_backend.backend = 'pg_partman' and exists (
    select
      from tasker.partition_config as c
     where p_starts_at + c.partition_interval = p_ends_at
  ) then
    begin
      perform tasker.create_leaves_by_partman(v_backend.schema_name, v_range);
      perform tasker.finish_leaves(v_range.suffix);
    exception when others then
      v_problem := split_part(sqlerrm, E'\n', 1);
    end;

    update tasker.partition_config as c
       set pg_partman_problem = v_problem
     where c.pg_partman_problem is distinct from v_problem;
    if v_problem is null then
      return;
    end if;
  end if;

  -- Create a copy of the parent and attach it, because this does not block writers of the parent, unlike "partition
  -- of".
  perform tasker.create_leaves(v_range.suffix);
  perform tasker.finish_leaves(v_range.suffix);
  perform tasker.attach_leaves(v_range);
end;
$$;

comment on function tasker.create_partition_range is
$$Creates one range: a partition of every partitioned table, with storage parameters and triggers. If pg_partman can
create the partitions, it creates them, otherwise this function does.

Locks the parents against other DDL, in the engine's order. Does not block readers or writers.$$;
