create or replace function tasker.erase_tasks(
  p_reason            text,
  p_tags              text[]       default null,
  p_key               text         default null,
  p_namespace         text         default null,
  p_name              text         default null,
  p_version           text         default null,
  p_requested_after   timestamptz  default null,
  p_requested_before  timestamptz  default null,
  p_children          boolean      default false,
  p_after             uuid         default null,
  p_limit             integer      default 100,
  p_dry_run           boolean      default false,
  p_actor             text         default null
)
  returns setof tasker.task_erasures
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
  v_actor text := tasker.actor_name(p_actor);
  v_root  uuid;
begin
  p_limit := coalesce(p_limit, 100);
  p_dry_run := coalesce(p_dry_run, false);
  p_children := coalesce(p_children, false);
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_isolation();
  perform tasker.check_bulk(p_reason, p_limit, p_dry_run);
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_array_size('tags', cardinality(p_tags), 100);
  perform tasker.check_text_size('identity key', p_key, 1000);
  perform tasker.check_instant('time after which tasks were requested', nullif(p_requested_after, '-infinity'));
  perform tasker.check_instant('time before which tasks were requested', nullif(p_requested_before, 'infinity'));
  if coalesce(p_tags, '{}') = '{}'
     and num_nonnulls(p_key, p_namespace, p_name, nullif(p_requested_before, 'infinity')) = 0 then
    raise exception using
      errcode = 'TK422',
      message = 'nothing says which tasks to erase',
      hint    = 'Pass tags, a key, a namespace, the name of a template or the time before which the tasks were requested.';
  end if;
  if not p_dry_run then
    perform tasker.check_recent_sign_in();
  end if;

  for v_root in
    select f.task_uuid
      from tasker.find_tasks_to_erase(
        p_namespace, p_name, p_version, p_tags, p_key,
        coalesce(tasker.uuid_v7_floor(nullif(p_requested_after, '-infinity')), '00000000-0000-0000-0000-000000000000'),
        coalesce(tasker.uuid_v7_floor(nullif(p_requested_before, 'infinity')), 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
        coalesce(p_after, '00000000-0000-0000-0000-000000000000'), p_limit
      ) as f (task_uuid)
  loop
    return query
    select e.* from tasker.erase_tree(v_root, p_children, p_reason, v_actor, p_dry_run) as e;
  end loop;
end;
$$;

comment on function tasker.erase_tasks is
$$Erases the tasks that match all given filters, as erase_task does, the oldest first, for example all runs with a tag
or an identity key. At least one of p_tags, p_key, p_namespace, p_name and p_requested_before is needed. Returns a row
for each task with its outcome. With p_dry_run the function returns the batch without changing it. Open and busy tasks
are not erased, and their rows say so. A bound caller reaches only its own namespaces.

Each call does one batch, in a transaction of its own unless the caller has begun one. A batch has p_limit tasks
(default 100, at most 1,000), and with p_children also the tasks below them. For the next batch, pass the last root_uuid
of this batch as p_after. Locks the tasks in the order of their UUIDs, without waiting for locks. If another transaction
holds a task, the outcome of that task is "locked". Raises TK428 if the caller is a person whose sign-in is too old.
Raises TK422 without a reason or a filter or for a limit out of range. Raises TK413 for arguments that are too large,
and TK403 if the caller is bound to other namespaces. Raises TK409 if the isolation level is above READ COMMITTED.$$;

grant execute on function tasker.erase_tasks to tasker_operator;
