create or replace function tasker.fork_task(
  p_task_uuid  uuid,
  p_from_step  text,
  p_version    text     default null,
  p_reason     text     default null,
  p_actor      text     default null,
  p_cancel     boolean  default false,
  p_key        text     default null
)
  returns uuid
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
  set lock_timeout = '5s'
as $$
declare
  v_old       tasker.tasks;
  v_kind      tasker.named_tasks;
  v_namespace text;
  v_template  tasker.creation_templates;
  v_from      integer;
  v_task      tasker.tasks;
  v_hash      bytea;
  v_new       uuid[];
begin
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_isolation();
  perform tasker.check_given_name('actor', p_actor, 200);
  perform tasker.check_text_size('reason', p_reason, 900);
  perform tasker.check_text_size('version', p_version, 1000);
  perform tasker.check_text_size('key', p_key, 1000);
  v_old := tasker.lock_task(p_task_uuid);
  if v_old.erased_at is not null then
    perform tasker.raise_erased(p_task_uuid);
  end if;
  if p_key is not null then
    v_hash := sha256(convert_to(jsonb_build_array('fork', p_task_uuid, p_key)::text, 'UTF8'));
    v_new := array[tasker.find_fork(v_old, v_hash, p_from_step, p_version, p_cancel)];
    if v_new[1] is not null then
      return v_new[1];
    end if;
  end if;
  if tasker.is_undone(v_old.undo) then
    raise exception using
      errcode = 'TK409',
      message = format('task %s is being undone', p_task_uuid),
      hint    = 'Fork it when that is done: what was undone runs again.';
  end if;
  select k.* into strict v_kind from tasker.named_tasks as k where k.named_task_uuid = v_old.named_task_uuid;
  v_namespace := tasker.namespace_of_task(p_task_uuid);
  v_template := tasker.find_template(v_namespace, v_kind.name, coalesce(p_version, v_kind.version));
  v_from := tasker.fork_step_no(v_template.named_task_uuid, p_from_step);

  -- The old task keeps its identity. The hash of p_key serves as an identity that no request can have.
  v_template.identity_strategy := 'always_unique';
  perform tasker.check_task_requests(v_template, v_namespace || '/' || v_kind.name, array[v_old.context], null, null);
  v_task := tasker.task_prototype(
    v_template, false, v_old.priority, null, v_old.initiator, 'fork',
    format('fork of %s from step "%s"', p_task_uuid, p_from_step) || coalesce(': ' || p_reason, ''),
    v_old.correlation_id, v_old.parent_correlation_id, v_old.headers, null,
    case when v_old.deadline > tasker.clock() then v_old.deadline end
  );
  v_task.tags := v_old.tags;
  v_new := tasker.mint_task_uuids(1, v_template.range_ends_at);
  if v_hash is not null then
    -- This waits for no other transaction, because a fork with the same key needs the old task's lock.
    perform tasker.claim_identities(array[v_hash], v_new, null, false);
  end if;
  v_new := tasker.insert_tasks(v_task, v_new, array[v_old.context], array[v_hash], false);
  perform tasker.insert_steps(v_task.named_task_uuid, v_new, v_namespace, v_task.requested_at, v_task.priority, false);
  perform tasker.take_over_steps(
    v_old, v_new[1], v_template.named_task_uuid, v_from, p_cancel and not v_old.complete, tasker.actor_name(p_actor)
  );
  if v_task.deadline is not null then
    insert into tasker.timers (task_uuid, kind, due_at, namespace)
    values (v_new[1], 'task_deadline', v_task.deadline, v_namespace);
  end if;
  perform tasker.notify_new_tasks(v_namespace, v_template.notify, 'pending', v_new, false);
  perform tasker.start_new_tasks(v_template, v_new);
  perform tasker.results_taken(v_new[1]);

  if p_cancel and not v_old.complete then
    -- Now the new task undoes the effects of the old task.
    update tasker.tasks as t set undo = null where t.task_uuid = p_task_uuid and t.undo is not null;
    perform tasker.move_task(
      v_old, 'Cancel', 'cancelled', null,
      jsonb_build_object('reason', format('task %s goes on', v_new[1]) || coalesce(': ' || p_reason, ''), 'forked_to', v_new[1]),
      tasker.actor_name(p_actor)
    );
  end if;
  return v_new[1];
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.fork_task is
$$Creates a task that repeats this task from the step p_from_step on, and returns the UUID of the new task. The new task
takes over the results of all steps except this step and the steps that depend on it, directly or not, in the old or the
new graph. The new task runs the version p_version of the template, by default the same version. With p_cancel the same
transaction cancels the old task if it is open.

Takes over steps that are complete, resolved or skipped, by their names. The log of each such step has one row, with the
reason "fork of" and the UUID of the old step, its worker and its execution time. All other steps run: steps that run,
wait or have failed in the old task, undone steps with all steps that depend on them, and steps that are new in the
version. The finished elements of a map are taken over even if the map is not finished. If a step has started a task,
the result of that task is taken over, and the task is not repeated. Signals that no step has taken, and steps that were
added while the task ran, stay with the old task. The new task has the context, priority, tags, headers, initiator,
correlation and deadline of the old task, but not its identity, and no parent.

Only one of the two tasks undoes the effect of a step that was taken over. With p_cancel this is the new task, if the
old task was open and would have undone the effect. Otherwise it is the old task. A task that was cancelled by a fork
undoes nothing. A compensation gets the UUID of the step that had the effect.

If a call with the same p_key (at most 1,000 characters) is repeated, it returns the fork that the first call made. A
key belongs to the old task, and is kept while the fork is kept.

p_reason and p_actor go into the logs. Without p_actor, the logs have the caller's role. The cost is linear in the
number of the task's steps. Locks the old task, and with p_cancel its steps. Raises TK404 if there is no such task,
version or step. Raises TK410 if the version is retired, and TK413 if an argument or the context is too large. Raises
TK422 without a step, or if more than 65,535 steps would be needed. Raises TK409 if the task was erased or is being
undone, if the key was used for another step, version or p_cancel, or if the isolation level is above READ COMMITTED.
Raises TK403 if the caller is bound to other namespaces. Raises TK409 if another session keeps the task locked for 5
seconds.$$;

grant execute on function tasker.fork_task to tasker_orchestrator, tasker_operator;
