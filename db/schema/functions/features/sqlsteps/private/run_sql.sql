create or replace function tasker.run_sql(p_limit integer, p_namespaces text[], p_session text[])
  returns setof tasker.sql_runs
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
  v_mark       text[] := string_to_array(nullif(current_setting('tasker.sql_step', true), ''), ' ');
  v_own        text[] := tasker.own_settings(p_session);
  v_namespaces text[];
  v_settings   tasker.settings_now;
  v_slot       tasker.sql_slots;
  v_done       tasker.sql_runs;
  v_answer     tasker.step_answers;
begin
  perform tasker.check_claim(gen_random_uuid(), p_limit, null);
  if tasker.token_name() is not null then
    raise exception using
      errcode = 'TK403',
      message = 'SQL steps are not run for a token or a person',
      hint    = 'Let pg_cron, tasker orchestrate or a worker run them.';
  end if;
  v_done.completed := 0;
  v_done.failed := 0;
  v_done.put_off := 0;
  v_done.more := false;
  v_namespaces := tasker.sql_namespaces(p_namespaces);
  if v_namespaces = '{}' or p_limit = 0 then
    return next v_done;
    return;
  end if;
  select c.* into v_settings from tasker.settings_now as c;
  -- A function gets its input without a limit of size, because the input is not sent over a connection.
  v_settings.claim_bytes := 1000000000;

  if v_mark is null then
    select s.*
      into v_slot
      from tasker.sql_slots as s
     where not s.alone
     order by s.slot_no
     limit 1
       for update skip locked;
    if found then
      v_done := tasker.run_sql_batch(
        -- If a constraint is initially deferred, run one step only: SET CONSTRAINTS after the first call lasts until the
        -- transaction ends, so a second function could not defer constraints.
        case when exists (select from pg_trigger as t where t.tginitdeferred) then 1 else p_limit end,
        v_namespaces, v_slot, v_settings, v_own
      );
    end if;
  end if;
  if not v_done.more then
    v_slot := tasker.take_sql_slot(v_namespaces, false, v_mark[1]::integer);
    if v_slot.slot_no is not null then
      v_answer := tasker.run_sql_attempt(v_slot, v_settings, v_own);
      v_done.completed := (v_answer.answer is not distinct from 'completed')::integer;
      v_done.failed := (coalesce(v_answer.answer in ('failed', 'retrying'), false))::integer;
      v_done.more := true;
    end if;
  end if;

  if v_done.more then
    perform tasker.restore_settings(
      case when v_mark is null then p_session else array_append(
        array(select u.setting from unnest(p_session) as u (setting) where not starts_with(u.setting, 'statement_timeout=')),
        'statement_timeout=' || v_mark[2]
      ) end
    );
  end if;
  return next v_done;
end;
$$;

comment on function tasker.run_sql is
$$Does the work of tasker.run_sql_steps. p_session has the settings of the caller's session, which are restored at the end.$$;
