create or replace function tasker.step_totals_until_now(p_fresh timestamptz)
  returns setof tasker.step_totals
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_fresh is null then
    return query select o.* from tasker.step_totals as o;
  else
    return query
    select o.* from tasker.step_totals as o where o.settled
    union all
    select e.* from tasker.ended_steps_between(p_fresh, 'infinity', false) as e;
  end if;
end;
$$;

comment on function tasker.step_totals_until_now is
$$Returns the totals of ended steps: the settled totals plus the rows in the log since p_fresh (tasker.fresh_since). If
p_fresh is null, returns the totals as maintenance last counted them.$$;
