create or replace function tasker.retry_steps(
  p_reason          text,
  p_namespace       text     default null,
  p_name            text     default null,
  p_version         text     default null,
  p_step            text     default null,
  p_error           text     default null,
  p_state           text     default 'error',
  p_selection_uuid  uuid     default null,
  p_after           uuid     default null,
  p_limit           integer  default 100,
  p_dry_run         boolean  default false,
  p_actor           text     default null
)
  returns setof tasker.step_retries
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
  v_filters jsonb;
  v_found   tasker.step_retries[];
  v_locked  uuid[];
begin
  p_state   := coalesce(p_state, 'error');
  p_limit   := coalesce(p_limit, 100);
  p_dry_run := coalesce(p_dry_run, false);
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_bulk(p_reason, p_limit, p_dry_run);
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_text_size('error', p_error, 1000);
  if p_state not in ('error', 'waiting_for_retry') then
    raise exception using
      errcode = 'TK422',
      message = format('steps that are %s cannot be retried', '"' || left(p_state, 40) || '"'),
      hint    = 'Steps in error can be, and steps that are waiting_for_retry, which then run at once.';
  end if;
  v_filters := jsonb_strip_nulls(jsonb_build_object(
    'namespace', p_namespace, 'name', p_name, 'version', p_version, 'step', p_step, 'error', p_error
  ));
  perform tasker.check_many('steps', v_filters, p_selection_uuid);

  v_found := array(
    select f
      from tasker.find_steps_to_retry(v_filters || jsonb_build_object('state', p_state), p_selection_uuid, p_after, p_limit) as f
  );
  if not p_dry_run then
    perform tasker.check_recent_sign_in();
    v_locked := tasker.lock_tasks(array(select f.task_uuid from unnest(v_found) as f));
    for v_place in 1 .. cardinality(v_found) loop
      v_found[v_place].outcome := tasker.retry_found_step(
        v_found[v_place], v_found[v_place].task_uuid = any (v_locked), p_reason, p_actor
      );
    end loop;
    perform tasker.note_many(
      'retry', v_filters || jsonb_strip_nulls(jsonb_build_object('state', p_state, 'selection', p_selection_uuid)),
      array(select f.namespace from unnest(v_found) as f), array(select f.outcome from unnest(v_found) as f)
    );
  end if;
  return query select f.* from unnest(v_found) as f;
end;
$$;

comment on function tasker.retry_steps is
$$Retries the steps that match all given filters, or the steps of a selection, as retry_step does, the oldest task
first. By default these are steps that have failed for good. If p_state is "waiting_for_retry", these are steps that
wait for their next attempt. p_step is the name of a step. p_error is a part of a step's last error, in upper or lower
case. Returns a row for each step with its outcome. With p_dry_run the function returns the batch without changing it. A
bound caller reaches only its own namespaces.

Each call does one batch, in a transaction of its own unless the caller has begun one. A batch has p_limit steps
(default 100, at most 1,000). For the next batch, pass the last step of this batch as p_after. Writes one entry into the
log of administration for each call, and the reason into the history of each step. Locks the tasks, then their steps,
without waiting for locks. If another transaction holds the task of a step, the outcome of the step is "locked". Raises
TK428 if the caller is a person whose sign-in is too old. Raises TK422 without a reason, without a filter or a
selection, for another state or a limit out of range. Raises TK404 for an unknown selection, and TK413 for arguments
that are too large. Raises TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.retry_steps to tasker_orchestrator, tasker_operator;
