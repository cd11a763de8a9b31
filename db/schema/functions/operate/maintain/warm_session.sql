create or replace function tasker.warm_session()
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_namespace text := coalesce((tasker.bound_namespaces())[1], 'w' || left(md5(random()::text), 20));
  v_handlers  text[] := '{warm_up_first,warm_up_last}';
  v_worker    uuid := gen_random_uuid();
  v_steps     uuid[];
  v_claims    integer[];
begin
  -- PostgreSQL plans a statement when it first runs, and keeps the plan after a rollback.
  begin
    perform tasker.register_task_template(jsonb_build_object(
      'namespace', v_namespace, 'name', 'warm_up', 'version', '0.0.' || floor(random() * 1000000000)::bigint,
      'identity_strategy', 'always_unique',
      'steps', '[{"name": "warm_up_first"}, {"name": "warm_up_last", "dependencies": ["warm_up_first"]}]'::jsonb
    ));
    perform tasker.create_task(v_namespace, 'warm_up');
    perform tasker.create_tasks(v_namespace, 'warm_up', '{"{}","{}"}'::jsonb[]);
    -- A call with several claims and results runs other statements than a call with one.
    for v_batch in reverse 3 .. 1 loop
      select array_agg(x.step_uuid), array_agg(x.claim_no)
        into v_steps, v_claims
        from tasker.exchange_steps(
          v_worker, v_steps, v_claims, array_fill('{}'::jsonb, array[coalesce(cardinality(v_steps), 0)]),
          p_namespaces => array[v_namespace], p_limit => v_batch, p_handlers => v_handlers, p_request_uuid => gen_random_uuid()
        ) as x
       where x.answer is null;
    end loop;
    raise exception using
      errcode = 'TK409',
      message = 'warmed up',
      hint    = 'This is not an error: it rolls the warm-up back.';
  exception when others then
    return sqlstate = 'TK409' and sqlerrm = 'warmed up';
  end;
end;
$$;

comment on function tasker.warm_session is
$$Plans the statements of this session's calls that create tasks, claim steps and record results, so that the first call
costs no more than later calls. To do so, the function makes such calls for a template of its own and rolls them back.
Returns false if a call failed.

Call this function in its own transaction on a new connection. Locks no row that another session needs.$$;

grant execute on function tasker.warm_session
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator;
