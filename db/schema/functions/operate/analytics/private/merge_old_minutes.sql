create or replace function tasker.merge_old_minutes(p_rollups regclass, p_before timestamptz, p_keep_from timestamptz)
  returns bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_keys   text;
  v_names  text;
  v_merged text;
  v_sums   text;
  v_count  bigint;
begin
  -- The UUIDs are the key. Each other column of an hour has the smallest value, the largest value or the sum of the
  -- values of its minutes.
  select
    string_agg(c.name, ', ' order by c.no) filter (where c.is_key),
    string_agg(c.name, ', ' order by c.no) filter (where not c.is_key),
    string_agg(format('%s(r.%s)', c.aggregate, c.name), ', ' order by c.no) filter (where not c.is_key),
    string_agg(format(c.sum, c.name), ', ' order by c.no) filter (where not c.is_key)
    into strict v_keys, v_names, v_merged, v_sums
    from (
      select
        a.attnum as no,
        quote_ident(a.attname) as name,
        a.atttypid = 'uuid'::regtype as is_key,
        case a.attname when 'min_ms' then 'min' when 'max_ms' then 'max' when 'last_at' then 'max' else 'sum' end as aggregate,
        case a.attname
          when 'min_ms' then '%1$s = least(o.%1$s, excluded.%1$s)'
          when 'max_ms' then '%1$s = greatest(o.%1$s, excluded.%1$s)'
          when 'last_at' then '%1$s = greatest(o.%1$s, excluded.%1$s)'
          else '%1$s = o.%1$s + excluded.%1$s'
        end as sum
      from pg_attribute as a
      where a.attrelid = p_rollups
        and a.attnum > 0
        and not a.attisdropped
        and a.attname <> 'bucket'
    ) as c;

  execute format('delete from %s as r where r.bucket < $1', p_rollups) using p_keep_from;

  -- The row of an hour's first minute becomes the row of the hour. Add the other minutes to that row and
  -- delete them.
  execute format(
    $q$
    insert into %1$s as o (bucket, %2$s, %3$s)
    select date_trunc('hour', r.bucket), %2$s, %4$s
      from %1$s as r
     where r.bucket < date_trunc('hour', $1)
       and r.bucket > date_trunc('hour', r.bucket)
     group by date_trunc('hour', r.bucket), %2$s
        on conflict (bucket, %2$s) do update set %5$s
    $q$,
    p_rollups, v_keys, v_names, v_merged, v_sums
  ) using p_before;
  execute format(
    $q$delete from %s as r where r.bucket < date_trunc('hour', $1) and r.bucket > date_trunc('hour', r.bucket)$q$, p_rollups
  ) using p_before;
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;

comment on function tasker.merge_old_minutes is
$$Merges the minutes before p_before in a table of rollups into hours, and deletes rows that are older than p_keep_from.
Returns how many rows it merged. Composes the statement from the columns of the table.$$;
