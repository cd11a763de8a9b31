create or replace function tasker.cron_values(
  p_cron   text,
  p_what   text,
  p_field  text,
  p_from   integer,
  p_to     integer,
  p_names  text[]
)
  returns integer[]
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  -- A slice of this array needs no query, unlike generate_series. This matters because a schedule's expression is parsed
  -- at each tick.
  v_all    constant integer[] := '{0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59}';
  v_part   text;
  v_match  text[];
  v_low    integer;
  v_high   integer;
  v_step   integer;
  v_values integer[] := '{}';
begin
  if p_field = '*' then
    return v_all[p_from + 1 : p_to + 1];
  end if;
  foreach v_part in array string_to_array(lower(p_field), ',') loop
    -- A part is *, a value or a range, each with or without a step. A value is a number or one of the names.
    v_match := regexp_match(v_part, '^(?:([*])|([0-9]{1,2}|[a-z]{3})(?:-([0-9]{1,2}|[a-z]{3}))?)(?:/([0-9]{1,2}))?$');
    v_low := case
      when v_match[1] = '*' then p_from
      when v_match[2] ~ '^[0-9]' then v_match[2]::integer
      else array_position(p_names, v_match[2]) - 1 + p_from
    end;
    v_high := case
      when v_match[1] = '*' or v_match[3] is null and v_match[4] is not null then p_to
      when v_match[3] is null then v_low
      when v_match[3] ~ '^[0-9]' then v_match[3]::integer
      else array_position(p_names, v_match[3]) - 1 + p_from
    end;
    v_step := coalesce(v_match[4]::integer, 1);
    if (v_low >= p_from and v_high <= p_to and v_low <= v_high and v_step > 0) is not true then
      raise exception using
        errcode = 'TK422',
        message = format('"%s" is no cron expression: its %s cannot be "%s"', left(p_cron, 200), p_what, left(v_part, 100)),
        hint    = format('A %s is from %s to %s: *, 1, 1-5, */2, 1-9/2%s, or several of these after commas.', p_what, p_from, p_to,
                         case when p_names is not null then format(', %s', p_names[2]) else '' end);
    end if;
    if v_step = 1 and v_part = lower(p_field) then
      return v_all[v_low + 1 : v_high + 1];
    end if;
    v_values := v_values || array(select g from generate_series(v_low, v_high, v_step) as g);
  end loop;
  return array(select distinct u.value from unnest(v_values) as u (value) order by u.value);
end;
$$;

comment on function tasker.cron_values is
$$Returns the values of one field of a cron expression, in ascending order. Raises TK422 for an invalid field.$$;
