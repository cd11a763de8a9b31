create or replace function tasker.reset_tasks(
  p_reason            text,
  p_state             text         default 'blocked_by_failures',
  p_namespace         text         default null,
  p_name              text         default null,
  p_version           text         default null,
  p_tags              text[]       default null,
  p_requested_after   timestamptz  default null,
  p_requested_before  timestamptz  default null,
  p_after             uuid         default null,
  p_limit             integer      default 100,
  p_dry_run           boolean      default false,
  p_actor             text         default null
)
  returns setof tasker.task_resets
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
  v_actor  text   := tasker.actor_name(p_actor);
  v_found  tasker.task_resets[];
  v_locked uuid[] := '{}';
  v_reset  uuid[] := '{}';
  v_kept   uuid[] := '{}'; -- another open task has the identity of these tasks
  v_busy   uuid[] := '{}'; -- another transaction holds the identity of these tasks
  v_other  text;
  v_task   tasker.tasks;
begin
  p_state   := coalesce(p_state, 'blocked_by_failures');
  p_limit   := coalesce(p_limit, 100);
  p_dry_run := coalesce(p_dry_run, false);
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_reset_tasks(p_reason, p_state, p_limit, p_dry_run, p_tags, p_actor);
  perform tasker.check_instant('time after which tasks were requested', nullif(p_requested_after, '-infinity'));
  perform tasker.check_instant('time before which tasks were requested', nullif(p_requested_before, 'infinity'));

  v_found := array(
    select f
      from tasker.find_tasks_to_reset(
        p_state::tasker.task_state, p_namespace, p_name, p_version, p_tags,
        coalesce(tasker.uuid_v7_floor(nullif(p_requested_after, '-infinity')), '00000000-0000-0000-0000-000000000000'),
        coalesce(tasker.uuid_v7_floor(nullif(p_requested_before, 'infinity')), 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
        coalesce(p_after, '00000000-0000-0000-0000-000000000000'), p_limit
      ) as f
  );
  if not p_dry_run then
    perform tasker.check_recent_sign_in();
    v_locked := tasker.lock_tasks(array(select f.task_uuid from unnest(v_found) as f));
    for v_task in
      select t.*
        from unnest(v_locked) as u (task_uuid)
       cross join lateral (
         select t.*
           from tasker.tasks as t
          where t.task_uuid = u.task_uuid
         offset 0
       ) as t
       where t.state = p_state::tasker.task_state
       order by t.task_uuid
    loop
      v_other := tasker.regain_identity(v_task);
      if v_other = 'locked' then
        v_busy := v_busy || v_task.task_uuid;
      elsif v_other is not null then
        v_kept := v_kept || v_task.task_uuid;
      elsif tasker.reset_locked_task(v_task, p_reason, v_actor) then
        v_reset := v_reset || v_task.task_uuid;
      end if;
    end loop;
    perform tasker.advance_tasks(v_reset);
  end if;

  return query
  select
    f.task_uuid, f.namespace, f.name, f.version, f.state, f.failed_steps, f.requested_at,
    case
      when p_dry_run then 'matched'
      when f.task_uuid = any (v_reset) then 'reset'
      when f.task_uuid = any (v_kept) then 'duplicate'
      when f.task_uuid = any (v_busy) then 'locked'
      when f.task_uuid = any (v_locked) then 'moved'
      else 'locked'
    end
  from unnest(v_found) as f
  order by f.task_uuid;
end;
$$;

comment on function tasker.reset_tasks is
$$Resets the tasks in state p_state that match all given filters, as reset_task does, the oldest first. p_state is
"blocked_by_failures" (the default) or "error". Returns a row for each task with its outcome. With p_dry_run the
function returns the batch without changing it. A bound caller reaches only its own namespaces.

Each call does one batch, in a transaction of its own unless the caller has begun one. A batch has p_limit tasks
(default 100, at most 1,000). For the next batch, pass the last task of this batch as p_after. Locks the tasks, then
their steps, without waiting for locks. If another transaction holds a task, the outcome of that task is "locked".
Raises TK428 if the caller is a person whose sign-in is too old. Raises TK422 without a reason, for another state or a
limit out of range, TK413 for arguments that are too large, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.reset_tasks to tasker_orchestrator, tasker_operator;
