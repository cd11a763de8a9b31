create or replace function tasker.cancel_tasks(
  p_reason            text,
  p_namespace         text         default null,
  p_name              text         default null,
  p_version           text         default null,
  p_state             text         default null,
  p_tags              text[]       default null,
  p_requested_after   timestamptz  default null,
  p_requested_before  timestamptz  default null,
  p_selection_uuid    uuid         default null,
  p_after             uuid         default null,
  p_limit             integer      default 100,
  p_dry_run           boolean      default false,
  p_actor             text         default null
)
  returns setof tasker.task_cancellations
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
  v_found   tasker.task_cancellations[];
  v_locked  uuid[];
begin
  p_limit   := coalesce(p_limit, 100);
  p_dry_run := coalesce(p_dry_run, false);
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_bulk(p_reason, p_limit, p_dry_run);
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_array_size('tags', cardinality(p_tags), 100);
  perform tasker.check_instant('time after which tasks were requested', nullif(p_requested_after, '-infinity'));
  perform tasker.check_instant('time before which tasks were requested', nullif(p_requested_before, 'infinity'));
  if p_state not in (select t.state::text from tasker.task_states as t where not t.terminal) then
    raise exception using
      errcode = 'TK422',
      message = format('tasks that are %s cannot be cancelled', '"' || left(p_state, 40) || '"'),
      hint    = 'Open tasks can be: name one of their states, or leave it out for all of them.';
  end if;
  v_filters := jsonb_strip_nulls(jsonb_build_object(
    'namespace', p_namespace, 'name', p_name, 'version', p_version, 'state', p_state, 'tags', to_jsonb(nullif(p_tags, '{}')),
    'requested_after', p_requested_after, 'requested_before', p_requested_before
  ));
  perform tasker.check_many('tasks', v_filters, p_selection_uuid);

  v_found := array(
    select f
      from tasker.find_tasks_to_cancel(
        v_filters, nullif(p_tags, '{}'),
        coalesce(tasker.uuid_v7_floor(nullif(p_requested_after, '-infinity')), '00000000-0000-0000-0000-000000000000'),
        coalesce(tasker.uuid_v7_floor(nullif(p_requested_before, 'infinity')), 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
        p_selection_uuid, coalesce(p_after, '00000000-0000-0000-0000-000000000000'), p_limit
      ) as f
  );
  if not p_dry_run then
    perform tasker.check_recent_sign_in();
    v_locked := tasker.lock_tasks(array(select f.task_uuid from unnest(v_found) as f));
    for v_place in 1 .. cardinality(v_found) loop
      v_found[v_place].outcome := tasker.cancel_found_task(
        v_found[v_place].task_uuid, v_found[v_place].task_uuid = any (v_locked), p_reason, p_actor
      );
    end loop;
    perform tasker.note_many(
      'cancel', v_filters || case when p_selection_uuid is null then '{}' else jsonb_build_object('selection', p_selection_uuid) end,
      array(select f.namespace from unnest(v_found) as f), array(select f.outcome from unnest(v_found) as f)
    );
  end if;
  return query select f.* from unnest(v_found) as f;
end;
$$;

comment on function tasker.cancel_tasks is
$$Cancels the open tasks that match all given filters, or the open tasks of a selection, as cancel_task does, the oldest
first. Returns a row for each task with its outcome. With p_dry_run the function returns the batch without changing it.
A bound caller reaches only its own namespaces.

Each call does one batch, in a transaction of its own unless the caller has begun one. A batch has p_limit tasks
(default 100, at most 1,000). For the next batch, pass the last task of this batch as p_after. Writes one entry into the
log of administration for each call, and the reason into the history of each task. Locks the tasks, then their steps,
without waiting for locks. If another transaction holds a task, the outcome of that task is "locked". Raises TK428 if
the caller is a person whose sign-in is too old. Raises TK422 without a reason, without a filter or a selection, for a
state that is not open or a limit out of range. Raises TK404 for an unknown selection, and TK413 for arguments that are
too large. Raises TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.cancel_tasks to tasker_orchestrator, tasker_operator;
