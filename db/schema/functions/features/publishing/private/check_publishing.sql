create or replace function tasker.check_publishing(
  p_namespace      text,
  p_lane           text,
  p_limit          integer,
  p_depth          bigint,
  p_again_seconds  integer
)
  returns void
  language plpgsql
  stable
as $$
begin
  perform tasker.check_namespace_exists(p_namespace);
  if (p_lane in ('high', 'normal', 'low') and p_limit between 1 and 1000 and coalesce(p_depth, 0) >= 0
      and p_again_seconds between 1 and 86400) is not true then
    raise exception using
      errcode = 'TK422',
      message = format('steps of namespace "%s" cannot be published with these values', p_namespace),
      detail  = format(
        'lane %s, at most %s rows, depth %s, again after %s seconds',
        coalesce(left(p_lane, 100), 'null'), coalesce(p_limit::text, 'null'), p_depth, coalesce(p_again_seconds::text, 'null')
      ),
      hint    = 'The lane is high, normal or low, rows are 1 to 1000, seconds 1 to 86400; the depth is not below 0.';
  end if;
end;
$$;

comment on function tasker.check_publishing is
$$Checks the arguments of tasker.publish_steps. Raises TK404 for an unknown namespace, TK422 for an argument out of range.$$;
