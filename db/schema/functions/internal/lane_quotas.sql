create or replace function tasker.lane_quotas(p_lanes text[], p_limit integer)
  returns integer[]
  language plpgsql
  volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_weights numeric[] := '{}';
  v_quotas  integer[] := '{}';
  v_lane    text;
  v_total   numeric;
  v_upto    numeric := 0;
  v_dice    numeric := random();
begin
  foreach v_lane in array p_lanes loop
    v_weights := v_weights || case
      when v_lane in ('high', 'normal', 'low') then tasker.setting_numeric('lane_weight_' || v_lane)
      else 1
    end;
  end loop;
  select sum(w.weight) into v_total from unnest(v_weights) as w (weight);

  -- Each lane's share, the fraction of it by chance: shares that round down to nothing still come in turn.
  for v_no in 1 .. cardinality(p_lanes) loop
    v_quotas := v_quotas
      || (floor((v_upto + v_weights[v_no]) * p_limit / v_total + v_dice) - floor(v_upto * p_limit / v_total + v_dice))::integer;
    v_upto := v_upto + v_weights[v_no];
  end loop;
  return v_quotas;
end;
$$;

comment on function tasker.lane_quotas(text[], integer) is
$$How many of so many rows each of these lanes gets: by the settings lane_weight_…, in sum p_limit, on average exactly.$$;

revoke all on function tasker.lane_quotas(text[], integer) from public;
