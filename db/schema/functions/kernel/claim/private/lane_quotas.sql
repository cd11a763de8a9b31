create or replace function tasker.lane_quotas(p_lanes text[], p_limit integer, p_settings tasker.settings_now)
  returns integer[]
  language plpgsql
  volatile
as $$
declare
  v_weights numeric[] := '{}';
  v_quotas  integer[] := '{}';
  v_lane    text;
  v_total   numeric := 0;
  v_upto    numeric := 0;
  v_dice    numeric := random();
begin
  foreach v_lane in array p_lanes loop
    v_weights := v_weights || case v_lane
      when 'high' then p_settings.lane_weight_high
      when 'normal' then p_settings.lane_weight_normal
      when 'low' then p_settings.lane_weight_low
      else 1
    end;
    v_total := v_total + v_weights[cardinality(v_weights)];
  end loop;

  -- Compute the share of each lane. The fraction of a share is rounded up or down at random, so that a lane with a
  -- small share also gets a row now and then.
  for v_no in 1 .. cardinality(p_lanes) loop
    v_quotas := v_quotas
      || (floor((v_upto + v_weights[v_no]) * p_limit / v_total + v_dice) - floor(v_upto * p_limit / v_total + v_dice))::integer;
    v_upto := v_upto + v_weights[v_no];
  end loop;
  return v_quotas;
end;
$$;

comment on function tasker.lane_quotas is
$$Divides p_limit rows among these lanes by the settings lane_weight_…. The sum of the shares is p_limit, and on average each share is exactly proportional to its weight.$$;
