create or replace function tasker.take_limited_rows(
  p_namespaces   text[],
  p_handlers     text[],
  p_limit        integer,
  p_until        timestamptz,
  p_worker_uuid  uuid,
  p_settings     tasker.settings_now
)
  returns tasker.step_queue[]
  language plpgsql
as $$
declare
  v_now      timestamptz := tasker.write_clock();
  v_handlers uuid[];
  v_limits   integer[];
  v_keys     text[];
  v_taken    tasker.step_queue[] := '{}';
begin
  -- Keys without room give no step, and their lines are closed until a place is free. So try up to four sets of keys.
  for v_round in 1 .. 4 loop
    select array_agg(k.limit_no), array_agg(k.limit_key)
      into v_limits, v_keys
      from tasker.lock_limit_keys(p_namespaces, p_handlers, p_limit - cardinality(v_taken), v_now, p_settings) as k;
    if v_limits is null then
      exit when v_round > 1
             or coalesce(current_setting('tasker.opened_limits', true), '') in ('', '[]')
             or not tasker.await_limit_key(p_namespaces, p_handlers);
      continue;
    end if;
    if v_handlers is null and p_handlers is not null then
      v_handlers := array(
        select k.named_step_uuid
          from unnest(p_handlers) as u (name)
         cross join lateral (
           select k.named_step_uuid
             from tasker.named_steps as k
            where k.name = u.name
           offset 0
         ) as k
      );
    end if;
    v_taken := v_taken || tasker.serve_limit_keys(
      v_limits, v_keys, v_handlers, p_limit - cardinality(v_taken), p_until, p_worker_uuid, null, null, p_settings
    );
    exit when cardinality(v_taken) = p_limit;
  end loop;
  return v_taken;
end;
$$;

comment on function tasker.take_limited_rows is
$$Takes at most p_limit steps that name a limit, of these namespaces and handlers (null: all handlers). Marks the steps as running and hides them until p_until. Skips keys that other transactions hold; these keys stay due for the next claim. Only a call that has itself opened keys waits for one of these keys (tasker.await_limit_key).$$;
