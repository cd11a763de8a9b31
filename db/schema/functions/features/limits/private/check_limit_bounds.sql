create or replace function tasker.check_limit_bounds(
  p_name         text,
  p_concurrency  integer,
  p_rate         integer,
  p_per_seconds  integer,
  p_burst        integer
)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_per integer := coalesce(p_per_seconds, 1);
  v_one integer := coalesce(p_burst, 1);
begin
  if p_concurrency not between 0 and 1000000 or p_rate not between 1 and 1000000
     or v_per not between 1 and 31536000 or v_one not between 1 and 1000000
     or p_rate is null and num_nonnulls(p_per_seconds, p_burst) > 0
     -- Otherwise paid_until could exceed the range of timestamps when the rate is charged ahead.
     or v_one::bigint * v_per / p_rate > 31536000000 then
    raise exception using
      errcode = 'TK422',
      message = format('limit "%s" cannot have these bounds', p_name),
      detail  = format(
        'concurrency %s, rate %s, per seconds %s, burst %s', coalesce(p_concurrency::text, 'null'),
        coalesce(p_rate::text, 'null'), coalesce(p_per_seconds::text, 'null'), coalesce(p_burst::text, 'null')
      ),
      hint    = 'Use a concurrency from 0 to 1000000, a rate and a burst from 1 to 1000000, seconds from 1 to 31536000; seconds and burst need a rate, which allows the burst in at most 1,000 years.';
  end if;
end;
$$;

comment on function tasker.check_limit_bounds is
$$Raises TK422 for bounds that no limit can have.$$;
