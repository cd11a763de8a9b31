create or replace function tasker.take_steps(
  p_namespaces     text[],
  p_worker_uuid    uuid,
  p_limit          integer,
  p_lease_seconds  integer,
  p_handlers       text[],
  p_settings       tasker.settings_now
)
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_now    timestamptz;
  v_until  timestamptz;
  v_groups tasker.step_queue[];
  v_lost   tasker.step_queue[];
  v_taken  tasker.step_queue[];
  v_moves  tasker.step_moves[] := '{}';
  v_more   tasker.step_moves[];
  v_share  integer;
  v_others text[] := '{}'; -- namespaces whose steps are sent in messages
  v_marked boolean     := p_handlers is not null and tasker.queue_is_bloated();
  v_since  timestamptz := '-infinity'; -- the time from which the queue is read
begin
  if v_marked then
    v_since := tasker.claim_mark(p_namespaces, p_handlers, tasker.write_clock());
  end if;
  if p_settings.any_brokered then
    v_others := tasker.brokered_namespaces();
  end if;

  -- Lost steps that return to the queue may be claimed at once.
  for v_turn in 1 .. 2 loop
    v_now := tasker.write_clock();
    if p_handlers is null then
      select
        array_agg(g) filter (where g.lane in ('high', 'normal', 'low') and g.namespace <> all (v_others) and not tasker.is_paused(g.namespace, g.named_step_uuid, p_settings)),
        array_agg(g) filter (where g.lane = 'running')
        into v_groups, v_lost
        from tasker.queue_groups(p_namespaces) as g
       where g.visible_at <= v_now and g.named_step_uuid <> all (p_settings.handled_here);
    else
      select
        array_agg(g) filter (where g.lane in ('high', 'normal', 'low') and g.namespace <> all (v_others) and not tasker.is_paused(g.namespace, g.named_step_uuid, p_settings)),
        array_agg(g) filter (where g.lane = 'running')
        into v_groups, v_lost
        from tasker.handler_groups(p_namespaces, p_handlers, v_now, v_since) as g;
    end if;
    if v_groups is null and v_lost is null and v_since > '-infinity' then
      v_since := '-infinity'; -- before it gives up, the claim reads the whole queue
      continue;
    end if;
    exit when v_lost is null or v_turn = 2 or tasker.recover_lost_steps(v_lost, 100, p_worker_uuid) = 0;
  end loop;
  if v_marked then
    perform tasker.keep_claim_mark(p_namespaces, p_handlers, v_now, v_since = '-infinity', v_groups || v_lost);
  end if;
  if v_groups is null and not tasker.is_gated(p_handlers, p_settings) then
    return '{}';
  end if;

  -- A lease begins when the claim is made, not when the call began to wait for its turn.
  v_until := v_now + make_interval(secs => coalesce(p_lease_seconds, p_settings.lease_seconds));
  if not tasker.is_gated(p_handlers, p_settings) then
    -- Take rows again if steps could not start, such as suspects, because other steps must not wait for them.
    for v_turn in 1 .. 5 loop
      v_taken := tasker.take_queue_rows(v_groups, p_limit - cardinality(v_moves), v_until, true, p_settings);
      v_more := tasker.start_steps(v_taken, p_worker_uuid, v_until);
      v_moves := v_moves || v_more;
      exit when cardinality(v_taken) = cardinality(v_more) or cardinality(v_moves) = p_limit;
    end loop;
    return v_moves;
  end if;

  -- Half for steps that name a limit, half for all other steps. Each half also gets the unused places of the other half.
  v_taken := '{}';
  v_share := case when v_groups is null then p_limit else floor(p_limit * 0.5 + random()) end;
  if v_share > 0 then
    v_taken := tasker.take_gated(p_namespaces, p_handlers, null, v_share, v_until, p_worker_uuid, p_settings);
  end if;
  v_share := case when cardinality(v_taken) = v_share then p_limit else 0 end;
  if v_groups is not null and cardinality(v_taken) < p_limit then
    v_taken := v_taken || tasker.take_queue_rows(v_groups, p_limit - cardinality(v_taken), v_until, true, p_settings);
  end if;
  if cardinality(v_taken) < v_share then
    v_taken := v_taken || tasker.take_gated(
      p_namespaces, p_handlers, null, v_share - cardinality(v_taken), v_until, p_worker_uuid, p_settings
    );
  end if;
  return tasker.start_steps(v_taken, p_worker_uuid, v_until);
end;
$$;

comment on function tasker.take_steps is
$$Returns steps of these handlers (null: all) to the queue if their lease has ended, then takes ready steps of these namespaces and handlers and starts them. In namespaces with transport broker it takes only steps that name a limit. It takes no steps of paused handlers. Returns the starts.

If an old snapshot keeps many dead rows in the queue, the search begins where the session's last claim for these handlers found the oldest row (tasker.claim_mark). The search begins there for at most a second, and only if there are rows from there on.$$;
