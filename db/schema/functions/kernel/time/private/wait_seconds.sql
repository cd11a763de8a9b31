create or replace function tasker.wait_seconds(p_duration jsonb)
  returns numeric
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_parts   text[];
  v_seconds numeric;
begin
  if jsonb_typeof(p_duration) = 'number' then
    v_seconds := p_duration::numeric;
  elsif jsonb_typeof(p_duration) = 'string' then
    v_parts := regexp_match(p_duration #>> '{}', '^(-?[0-9]{1,9}(?:\.[0-9]{1,9})?)(s|m|h|d|w)$');
    v_seconds := v_parts[1]::numeric * case v_parts[2]
      when 's' then 1 when 'm' then 60 when 'h' then 3600 when 'd' then 86400 when 'w' then 604800
    end;
  end if;
  return case when v_seconds <= 315360000 then trim_scale(ceil(greatest(v_seconds, 0) * 1000) / 1000) end;
end;
$$;

comment on function tasker.wait_seconds is
$$Returns a duration in seconds, from a number or a text such as 90s, 30m, 12h, 3d or 2w. A day has 86,400 seconds. The duration is rounded up to the millisecond. A negative duration becomes 0, because a wait until a past time ends at once. Returns null if the value is no duration or exceeds 315,360,000 seconds.$$;
