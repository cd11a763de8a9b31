create or replace function tasker.take_steps(
  p_namespaces     text[],
  p_worker_uuid    uuid,
  p_limit          integer,
  p_lease_seconds  integer,
  p_handlers       text[]
)
  returns tasker.workflow_steps[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_now      timestamptz := tasker.clock();
  v_until    timestamptz := v_now + make_interval(secs => coalesce(p_lease_seconds, tasker.setting_integer('lease_seconds')));
  v_handlers uuid[];
  v_groups   tasker.step_queue[];
  v_lost     tasker.step_queue[];
begin
  if p_handlers is not null then
    v_handlers := array(
      select h.named_step_uuid
        from unnest(p_handlers) as u (name)
        join tasker.named_steps as h
          on h.name = u.name
    );
  end if;

  -- Lost steps that go back to the queue may be claimed at once.
  for v_turn in 1 .. 2 loop
    select
      array_agg(g) filter (where g.lane in ('high', 'normal', 'low')),
      array_agg(g) filter (where g.lane = 'running')
      into v_groups, v_lost
      from tasker.handler_groups(p_namespaces, v_handlers) as g
     where g.visible_at <= v_now;
    exit when v_lost is null or v_turn = 2 or tasker.recover_lost_steps(v_lost, 100) = 0;
  end loop;
  if v_groups is null then
    return '{}';
  end if;

  return tasker.start_steps(tasker.take_queue_rows(v_groups, p_limit, v_until, true), p_worker_uuid, v_until);
end;
$$;

comment on function tasker.take_steps(text[], uuid, integer, integer, text[]) is
$$The claim itself: steps of these handlers whose lease has ended go back to the queue, then ready steps of these namespaces and handlers are taken from it and started. Returns them.$$;

revoke all on function tasker.take_steps(text[], uuid, integer, integer, text[]) from public;
