create or replace function tasker.erase_task(
  p_task_uuid  uuid,
  p_reason     text,
  p_children   boolean  default false,
  p_actor      text     default null
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
  set lock_timeout = '5s'
as $$
declare
  v_actor text := tasker.actor_name(p_actor);
  v_rows  tasker.task_erasures[];
  v_first tasker.task_erasures;
begin
  p_children := coalesce(p_children, false);
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_isolation();
  perform tasker.check_bulk(p_reason, 1, false);
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_recent_sign_in();
  perform tasker.lock_task(p_task_uuid);
  v_rows := array(select e from tasker.erase_tree(p_task_uuid, p_children, p_reason, v_actor, false) as e);
  v_first := v_rows[1];
  if v_first.outcome in ('open', 'noted', 'acted_on') then
    raise exception using
      errcode = 'TK409',
      message = format('task %s cannot be erased: %s', v_first.task_uuid, case v_first.outcome
        when 'open' then format('it is %s and has not ended', v_first.state)
        when 'noted' then 'the engine has yet to do something for it'
        else 'a mass action on it is running'
      end),
      hint    = case v_first.outcome
        when 'open' then 'Cancel it first, with tasker.cancel_task(task, reason).'
        when 'noted' then 'Try again in a few seconds: a claim or maintenance tells its parent that it has ended.'
        else 'Wait until the mass action has ended, or stop it with tasker.stop_mass_action(selection).'
      end;
  elsif v_first.outcome = 'locked' then
    perform tasker.raise_task_locked(v_first.task_uuid);
  end if;
  return query select r.* from unnest(v_rows) as r;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.erase_task is
$$Erases the data of a task that has ended, irrevocably: context, headers, tags, inputs, results, errors, checkpoints,
states and kept results of functions, signals with their payloads, reasons, and names that callers gave themselves. Also
erases the copies of this data in dead letters, the feed, first texts of causes, selections, mass actions and the log of
administration. Each text is replaced by the word "erased", and each value by {"erased": true}. States, times, counts,
names of steps, logins, roles and a digest of the erased data stay. With p_children the tasks that the task's steps have
started are erased, too: all of them or none. Returns a row for each task with the outcome "erased", or "already" if an
earlier call erased the task.

An erased task cannot be reset, retried or forked. Copies of the data stay in forks of the task, in the tasks above it,
in backups, in the WAL, in logs and with subscribers (docs/howto/erase.md). tasker.list_erasures returns the proof of
the erasure, and tasker.administration_log says who erased the task and why. tasker.check_integrity finds a task that
was changed after its erasure, or emptied without an erasure.

Idempotent. The cost is linear in the number of rows of the tasks. Locks the task, then tries to lock the tasks below
it. Raises TK404 if there is no such task. Raises TK409 if a task has not ended, has work left or is in a running mass
action, or if another session keeps a task locked. Raises TK422 without a reason. Raises TK413 if the reason is longer
than 1,000 characters. Raises TK428 if the caller is a person whose sign-in is too old. Raises TK403 if the caller is
bound to other namespaces. Raises TK409 if the isolation level is above READ COMMITTED.$$;

grant execute on function tasker.erase_task to tasker_operator;
