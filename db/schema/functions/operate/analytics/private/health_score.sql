create or replace function tasker.health_score(
  p_total               bigint,
  p_complete            bigint,
  p_error               bigint,
  p_active_connections  bigint,
  p_max_connections     bigint
)
  returns numeric
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_total = 0 then 1.0
    else round(
      0.5 * p_complete / p_total
      + 0.3 * (1 - p_error::numeric / p_total)
      + 0.2 * (1 - least(p_active_connections::numeric / p_max_connections, 1)), 4
    )
  end;
end;

comment on function tasker.health_score is
$$Returns the system's health as a number from 0 to 1. The share of completed tasks counts for half of it, the share of
tasks that have not failed for three tenths, and the share of free connections for two tenths.$$;
