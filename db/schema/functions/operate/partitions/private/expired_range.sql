create or replace function tasker.expired_range(p_starts_at timestamptz)
  returns tasker.partition_ranges
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_range   tasker.partition_ranges;
  v_expires timestamptz;
begin
  if p_starts_at is null then
    raise exception using
      errcode = 'TK422',
      message = 'the start of the range is null',
      hint    = 'tasker.list_partition_ranges() shows where each begins.';
  end if;

  select r.* into v_range from tasker.partition_ranges as r where r.starts_at = p_starts_at;
  if not found then
    raise exception using
      errcode = 'TK404',
      message = format('no range begins at %s', p_starts_at),
      hint    = 'tasker.list_partition_ranges() shows them all.';
  end if;

  select v_range.ends_at + c.retention into strict v_expires from tasker.partition_config as c;
  if v_expires > tasker.clock() then
    raise exception using
      errcode = 'TK409',
      message = format('the range that begins at %s is not past its retention', p_starts_at),
      detail  = format('Retention keeps it until %s.', v_expires),
      hint    = 'Set a shorter retention with tasker.setup_partitioning(p_retention => …).';
  end if;
  return v_range;
end;
$$;

comment on function tasker.expired_range is
$$Returns the range that begins at p_starts_at, if it is past its retention. Raises TK404 if no range begins there,
TK409 if the range is not past its retention, and TK422 for null.$$;
