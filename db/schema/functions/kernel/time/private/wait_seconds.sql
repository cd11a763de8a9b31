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
$$A duration in seconds: a number, or a text such as 90s, 30m, 12h, 3d or 2w, where a day is 86,400 seconds. Rounded up to the millisecond; 0 if it is negative, since what is left of a time that has passed ends a wait at once. Null if it is neither, or over 315,360,000 seconds.$$;
