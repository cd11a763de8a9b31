create or replace function tasker.call_sql_step(p_step tasker.claimed_steps, p_settings tasker.settings_now, p_own text[])
  returns jsonb
  language plpgsql
as $$
declare
  v_result jsonb;
begin
  if p_own = '{}' then
    reset all;
  else
    perform tasker.restore_settings(p_own);
  end if;
  execute format('select tasker_sql.%I($1, $2)', p_step.namespace)
     into v_result
    using
      format('select %s($1)', tasker.sql_function_of(p_step.handler)),
      jsonb_build_object(
        'namespace', p_step.namespace, 'task', p_step.task_name, 'version', p_step.task_version, 'task_uuid', p_step.task_uuid,
        'step', p_step.name, 'step_uuid', p_step.step_uuid, 'attempt', p_step.attempt, 'correlation_id', p_step.correlation_id,
        'headers', p_step.headers, 'context', p_step.context, 'inputs', p_step.inputs, 'parents', p_step.parent_results
      );
  -- Check deferred constraints now. Otherwise a violation would fail at the commit, together with the other steps of the
  -- call.
  set constraints all immediate;
  if p_own = '{}' then
    reset all;
  else
    perform tasker.restore_settings(p_own);
  end if;
  perform
    set_config('search_path', 'pg_catalog, pg_temp', false), set_config('plan_cache_mode', 'force_generic_plan', false),
    set_config('enable_hashjoin', 'off', false), set_config('enable_mergejoin', 'off', false), set_config('enable_seqscan', 'off', false),
    set_config('jit', 'off', false), set_config('max_parallel_workers_per_gather', '0', false);

  v_result := coalesce(v_result, 'null');
  if octet_length(v_result::text) > p_settings.result_bytes or tasker.is_too_deep(v_result) then
    raise exception using
      errcode = 'TK413',
      message = format('the result of %s has %s bytes', tasker.sql_function_of(p_step.handler), octet_length(v_result::text)),
      detail  = format('At most %s bytes and 1000 levels are stored.', p_settings.result_bytes),
      hint    = 'Store the data in a table and return its key.';
  end if;
  return v_result;
end;
$$;

comment on function tasker.call_sql_step is
$$Calls the function of a claimed step as the role that is bound for its namespace, and returns its result. The function runs with the settings of a new session, and settings that it makes end with it. The engine's settings are restored afterwards.

The caller has opened a subtransaction. The caller records the result in the same transaction, or rolls the subtransaction
back. Raises the errors of the function, and TK413 for a result that is too large.$$;
