create or replace function tasker.requeue_dlq_entries(
  p_notes      text,
  p_reason     text     default null,
  p_namespace  text     default null,
  p_after      uuid     default null,
  p_limit      integer  default 100,
  p_dry_run    boolean  default false,
  p_actor      text     default null
)
  returns setof tasker.dlq_requeues
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
  v_bound    text[] := tasker.bound_namespaces();
  v_found    tasker.dlq_requeues[];
  v_locked   uuid[] := '{}';
  v_requeued uuid[] := '{}';
  v_ended    uuid[] := '{}';
  v_kept     uuid[] := '{}'; -- another open task has the identity of the entry's task
  v_busy     uuid[] := '{}'; -- another transaction holds the identity of the entry's task
  v_other    text;
  v_entry    record;
begin
  p_limit   := coalesce(p_limit, 100);
  p_dry_run := coalesce(p_dry_run, false);
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_given_name('actor', p_actor, 200);
  perform tasker.check_bulk(p_notes, p_limit, p_dry_run);

  v_found := array(
    select row(
             d.dlq_entry_uuid, d.task_uuid, d.task_snapshot #>> '{task,namespace}', d.task_snapshot #>> '{task,name}',
             d.task_snapshot #>> '{task,version}', d.dlq_reason, d.dlq_timestamp,
             (select t.state from tasker.tasks as t where t.task_uuid = d.task_uuid), 'matched'
           )::tasker.dlq_requeues
      from tasker.tasks_dlq as d
     where d.resolution_status = 'pending'
       and (p_reason is null or d.dlq_reason = p_reason)
       and (p_namespace is null or d.task_snapshot #>> '{task,namespace}' = p_namespace)
       and (v_bound is null or d.task_snapshot #>> '{task,namespace}' = any (v_bound))
       and d.dlq_entry_uuid > coalesce(p_after, uuid '00000000-0000-0000-0000-000000000000')
     order by d.dlq_entry_uuid
     limit p_limit
  );
  if not p_dry_run then
    perform tasker.check_recent_sign_in();
    v_locked := tasker.lock_tasks(array(select f.task_uuid from unnest(v_found) as f));
    for v_entry in
      select f.dlq_entry_uuid, t.task, (t.task).state in ('complete', 'cancelled', 'resolved_manually') or (t.task).erased_at is not null as ended
        from unnest(v_found) as f
       cross join lateral (
         select t as task
           from tasker.tasks as t
          where t.task_uuid = f.task_uuid
            and t.task_uuid = any (v_locked)
         offset 0
       ) as t
       order by f.task_uuid
    loop
      v_other := case when not v_entry.ended then tasker.regain_identity(v_entry.task) end;
      if v_entry.ended then
        v_ended := v_ended || v_entry.dlq_entry_uuid;
      elsif v_other = 'locked' then
        v_busy := v_busy || v_entry.dlq_entry_uuid;
      elsif v_other is not null then
        v_kept := v_kept || v_entry.dlq_entry_uuid;
      elsif tasker.requeue_dlq_entry(v_entry.dlq_entry_uuid, p_notes, p_actor) then
        v_requeued := v_requeued || v_entry.dlq_entry_uuid;
      end if;
    end loop;
  end if;

  return query
  select
    f.dlq_entry_uuid, f.task_uuid, f.namespace, f.name, f.version, f.dlq_reason, f.dlq_timestamp, f.current_state,
    case
      when p_dry_run then 'matched'
      when f.dlq_entry_uuid = any (v_requeued) then 'requeued'
      when f.dlq_entry_uuid = any (v_ended) or f.current_state is null then 'ended'
      when f.dlq_entry_uuid = any (v_kept) then 'duplicate'
      when f.dlq_entry_uuid = any (v_busy) then 'locked'
      when f.task_uuid = any (v_locked) then 'closed'
      else 'locked'
    end
  from unnest(v_found) as f
  order by f.dlq_entry_uuid;
end;
$$;

comment on function tasker.requeue_dlq_entries is
$$Requeues the open investigations that match all given filters, as requeue_dlq_entry does, the oldest first. p_reason
selects investigations by the reason for which they were opened. Returns a row for each investigation with its outcome.
With p_dry_run the function returns the batch without changing it. A bound caller reaches only its own namespaces.

Each call does one batch, in a transaction of its own unless the caller has begun one. A batch has p_limit entries
(default 100, at most 1,000). For the next batch, pass the last entry of this batch as p_after. Locks the tasks, then
their entries and steps. Does not wait for a task. If another transaction holds a task, the outcome of that task is
"locked". Raises TK428 if the caller is a person whose sign-in is too old. Raises TK422 without notes or for a limit out
of range, TK413 for notes of more than 1,000 characters, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.requeue_dlq_entries to tasker_operator;
