create or replace function tasker.change_task(
  p_task_uuid  uuid,
  p_priority   integer      default null,
  p_start_at   timestamptz  default null,
  p_deadline   timestamptz  default null,
  p_context    jsonb        default null,
  p_reason     text         default null,
  p_actor      text         default null
)
  returns boolean
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
  v_task tasker.tasks;
  v_was  jsonb;
  v_now  jsonb;
begin
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_isolation();
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_task_change(p_priority, p_start_at, p_deadline, p_context, p_reason);
  perform tasker.lock_open_task(p_task_uuid);
  select t.* into v_task from tasker.tasks as t where t.task_uuid = p_task_uuid;
  v_was := tasker.described_terms(v_task);
  if p_context is not null then
    perform tasker.check_changed_context(v_task, p_context);
    perform tasker.replace_context(p_task_uuid, p_context);
  end if;
  if p_start_at is not null then
    perform tasker.change_start(v_task, p_start_at, p_deadline);
  end if;
  update tasker.tasks as t
     set priority   = coalesce(p_priority, t.priority),
         deadline   = coalesce(p_deadline, t.deadline),
         updated_at = greatest(t.updated_at, tasker.write_clock())
   where t.task_uuid = p_task_uuid
  returning t.* into v_task;
  if p_priority is not null then
    perform tasker.change_priority(p_task_uuid, p_priority - (v_was ->> 'priority')::integer);
  end if;
  if p_deadline is not null then
    insert into tasker.timers (task_uuid, kind, due_at, namespace)
    values (p_task_uuid, 'task_deadline', p_deadline, tasker.namespace_of_task(p_task_uuid))
    on conflict (task_uuid, step_no, kind) do update
       set due_at = excluded.due_at;
  end if;
  v_now := tasker.described_terms(v_task);
  if v_now = v_was then
    return false;
  end if;
  perform tasker.notify_orchestrators();
  perform tasker.note_task_change(
    p_task_uuid,
    (select jsonb_object_agg(e.key, e.value) from jsonb_each(v_was - 'context') as e where v_now -> e.key <> e.value),
    (select jsonb_object_agg(e.key, case e.key when 'context' then '"changed"' else e.value end) from jsonb_each(v_now) as e where v_was -> e.key <> e.value)
  );
  return true;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.change_task is
$$Changes the priority, the start, the deadline or the context of one task that has not ended. A null argument changes
nothing. A new priority moves the steps in the queue, and also moves the task in the line of its key if the line is
ordered by priority. A start in the past starts the task at once. A new deadline replaces the task's deadline. A new
context needs a reason. Steps that start from now on get the new context. A running step keeps the context that it was
given, and a wait that has begun keeps its time-out and the key of its event. The identity of the task does not change.
Returns true if this call changed the task, and false if the task already had these values.

p_reason and p_actor (null: the caller's role) go into the log of administration, under the kind "tasks", with the
values before and after, but without the context. Locks the task, then its steps, then their queue rows and timers. The
cost is linear in the number of steps of the task. Raises TK404 if there is no such task. Raises TK422 if no change is
given, for a value out of range, for a context without a reason or that does not fit the template's schema. Raises TK413
if the context, the reason or the actor's name is too large. Raises TK409 if the task has ended or is being undone, if
p_start_at is given and the task has started, or if the isolation level is above READ COMMITTED. Raises TK409 if the new
context would change the key of the task's runs, the key of a step's limit or the array of a map that has begun. Raises
TK403 if the caller is bound to other namespaces. Raises TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.change_task to tasker_orchestrator, tasker_operator;
