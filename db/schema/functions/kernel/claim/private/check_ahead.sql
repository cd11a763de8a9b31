create or replace function tasker.check_ahead(p_limit integer, p_ahead integer, p_waiting uuid[])
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if (p_ahead between 0 and p_limit) is not true then
    raise exception using
      errcode = 'TK422',
      message = format('%s steps cannot be claimed ahead', coalesce(p_ahead::text, 'null')),
      detail  = format('The limit of the claim is %s.', p_limit),
      hint    = 'Claim between 0 and p_limit steps ahead.';
  end if;
  if array_ndims(p_waiting) > 1 or array_position(p_waiting, null) is not null then
    raise exception using
      errcode = 'TK422',
      message = 'the waiting steps contain null or are not a one-dimensional array',
      hint    = 'Pass the UUIDs of claimed steps that no handler has begun.';
  end if;
  if cardinality(p_waiting) > 1000 then
    raise exception using
      errcode = 'TK413',
      message = format('%s waiting steps are too many for one call', cardinality(p_waiting)),
      hint    = 'Name at most 1000.';
  end if;
end;
$$;

comment on function tasker.check_ahead is
$$Raises TK422 if p_ahead is not between 0 and the limit of the claim or the waiting steps contain null, TK413 for more than 1000 waiting steps.$$;
