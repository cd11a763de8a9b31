create or replace function tasker.refresh_settings_now()
  returns trigger
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Lock first. So if two transactions change settings, the second computes the row after the first has committed.
  perform from tasker.settings_now as c for update;
  update tasker.settings_now as c
     set lease_seconds       = n.lease_seconds,
         max_lost            = n.max_lost,
         result_bytes        = n.result_bytes,
         claim_bytes         = n.claim_bytes,
         lane_weight_high    = n.lane_weight_high,
         lane_weight_normal  = n.lane_weight_normal,
         lane_weight_low     = n.lane_weight_low,
         backoff_base        = n.backoff_base,
         backoff_multiplier  = n.backoff_multiplier,
         max_backoff_seconds = n.max_backoff_seconds,
         backoff_jitter      = n.backoff_jitter,
         any_bound           = n.any_bound,
         kept_results        = n.kept_results,
         kept_bytes          = n.kept_bytes,
         limited_handlers    = n.limited_handlers,
         any_brokered        = n.any_brokered,
         paused_handlers     = n.paused_handlers,
         handled_here        = n.handled_here,
         context_bytes       = n.context_bytes,
         notify              = n.notify,
         any_announced            = n.any_announced,
         covered_from        = n.covered_from,
         covered_until       = n.covered_until
    from tasker.current_settings() as n
   where c is distinct from n;
  return null;
end;
$$;

comment on function tasker.refresh_settings_now is
$$Trigger function: updates tasker.settings_now. Locks its row.$$;
