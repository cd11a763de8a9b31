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

  v_groups := array(select g from tasker.handler_groups(p_namespaces, v_handlers) as g where g.visible_at <= v_now);
  v_lost := array(select g from unnest(v_groups) as g where g.lane = 'running');
  if cardinality(v_lost) > 0 and tasker.recover_lost_steps(v_lost, 100) > 0 then
    v_groups := array(select g from tasker.handler_groups(p_namespaces, v_handlers) as g where g.visible_at <= v_now);
  end if;
  v_groups := array(select g from unnest(v_groups) as g where g.lane in ('high', 'normal', 'low'));

  return array(
    select s
      from tasker.start_steps(
        array(select q from tasker.take_queue_rows(v_groups, p_limit, v_until, true) as q),
        p_worker_uuid, v_until
      ) as s
  );
end;
$$;

comment on function tasker.take_steps(text[], uuid, integer, integer, text[]) is
$$The claim itself: steps of these handlers whose lease has ended go back to the queue, then ready steps of these namespaces and handlers are taken from it and started. Returns them.$$;

revoke all on function tasker.take_steps(text[], uuid, integer, integer, text[]) from public;
