create or replace function tasker.check_partition_config(p_config tasker.partition_config)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_ranges numeric;
begin
  if tasker.partition_unit(p_config.partition_interval) is null then
    raise exception using
      errcode = 'TK422',
      message = format('ranges cannot be %s long', p_config.partition_interval),
      hint    = 'An interval is 1 month, 7 days, 1 day or 1 hour.';
  elsif p_config.premake not between 1 and 100 then
    raise exception using
      errcode = 'TK422',
      message = format('premake is %s; it must be between 1 and 100', p_config.premake),
      hint    = 'It is the number of ranges created ahead; the default is 3.';
  elsif p_config.retention not between interval '1 day' and interval '100 years' then
    raise exception using
      errcode = 'TK422',
      message = format('retention is %s; it must be between 1 day and 100 years', p_config.retention),
      hint    = 'It is how long a range is kept after its end; the default is 90 days.';
  elsif p_config.backend not in ('auto', 'builtin', 'pg_partman') then
    raise exception using
      errcode = 'TK422',
      message = format('there is no backend "%s"', left(p_config.backend, 100)),
      hint    = 'A backend is auto, builtin or pg_partman.';
  end if;

  v_ranges := ceil(extract(epoch from p_config.retention) / extract(epoch from p_config.partition_interval))
    + p_config.premake + 1;
  if v_ranges > 1300 then
    raise exception using
      errcode = 'TK422',
      message = format('that would be %s ranges', v_ranges),
      detail  = format(
        'Retention %s in ranges of 1 %s, and %s ahead.',
        p_config.retention, tasker.partition_unit(p_config.partition_interval), p_config.premake
      ),
      hint    = 'Each range costs every session memory and locks: about 20 are good, 100 are many. Choose a longer interval or a shorter retention.';
  end if;
end;
$$;

comment on function tasker.check_partition_config is
$$Raises TK422 if a configuration of the run tables' partitions is invalid.$$;
