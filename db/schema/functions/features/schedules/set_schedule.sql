create or replace function tasker.set_schedule(
  p_namespace         text,
  p_schedule          text,
  p_task_name         text,
  p_cron              text         default null,
  p_every_seconds     integer      default null,
  p_timezone          text         default 'UTC',
  p_task_version      text         default null,
  p_context           jsonb        default '{}',
  p_priority          integer      default 0,
  p_tags              text[]       default '{}',
  p_deadline_seconds  integer      default null,
  p_jitter_seconds    integer      default 0,
  p_starts_at         timestamptz  default null,
  p_ends_at           timestamptz  default null,
  p_catch_up          text         default 'one',
  p_catch_up_limit    integer      default 100,
  p_overlap           text         default 'allow',
  p_actor             text         default null,
  p_reason            text         default null
)
  returns setof tasker.schedules
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
  v_now  timestamptz := tasker.clock();
  v_old  tasker.schedules;
  v_new  tasker.schedules;
begin
  p_timezone       := coalesce(p_timezone, 'UTC');
  p_context        := coalesce(p_context, '{}');
  p_priority       := coalesce(p_priority, 0);
  p_tags           := coalesce(p_tags, '{}');
  p_jitter_seconds := coalesce(p_jitter_seconds, 0);
  p_catch_up       := coalesce(p_catch_up, 'one');
  p_catch_up_limit := coalesce(p_catch_up_limit, 100);
  p_overlap        := coalesce(p_overlap, 'allow');
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.administer(p_actor, p_reason);
  v_new.namespace := p_namespace;
  v_new.schedule := p_schedule;
  v_new.task_name := p_task_name;
  v_new.task_version := p_task_version;
  v_new.cron := p_cron;
  v_new.every_seconds := p_every_seconds;
  v_new.timezone := p_timezone;
  v_new.jitter_seconds := p_jitter_seconds;
  v_new.starts_at := p_starts_at;
  v_new.ends_at := p_ends_at;
  v_new.catch_up := p_catch_up;
  v_new.catch_up_limit := p_catch_up_limit;
  v_new.overlap := p_overlap;
  v_new.context := p_context;
  v_new.priority := p_priority;
  v_new.tags := p_tags;
  v_new.deadline_seconds := p_deadline_seconds;
  v_new.creator_namespaces := tasker.bound_namespaces();
  perform tasker.check_schedule(v_new);

  insert into tasker.schedules as s (
    namespace, schedule, task_name, task_version, cron, every_seconds, timezone, jitter_seconds, starts_at, ends_at,
    catch_up, catch_up_limit, overlap, context, priority, tags, deadline_seconds, anchor_at, checked_at,
    created_at, created_by, updated_at, updated_by, creator_namespaces
  )
  values (
    v_new.namespace, v_new.schedule, v_new.task_name, v_new.task_version, v_new.cron, v_new.every_seconds, v_new.timezone,
    v_new.jitter_seconds, v_new.starts_at, v_new.ends_at, v_new.catch_up, v_new.catch_up_limit, v_new.overlap,
    v_new.context, v_new.priority, v_new.tags, v_new.deadline_seconds, 'infinity', v_now, v_now,
    tasker.actor_name(p_actor), v_now, tasker.actor_name(p_actor),
    v_new.creator_namespaces
  )
  -- Insert and read in one statement. Otherwise another session could delete the schedule after an insertion that did
  -- nothing.
  on conflict (namespace, schedule) do update
     set checked_at = s.checked_at
  returning s.* into v_old;

  -- The row is locked now. The time is read again, so that a tick that fired while this call waited for the lock does not
  -- fire a second time.
  if v_old.anchor_at <> 'infinity' then
    v_now := tasker.write_clock();
  end if;
  v_new := tasker.change_schedule(v_old.schedule_uuid, v_new, v_now, p_actor);
  if v_new.schedule_uuid is null then
    return next v_old;
    return;
  end if;

  -- A change that keeps the ticks also keeps the next tick. Every deployment sets the same schedule again, and a
  -- deployment must not lose a tick that is just due.
  if v_old.anchor_at = 'infinity'
     or (v_old.cron, v_old.every_seconds, v_old.timezone, v_old.starts_at, v_old.ends_at)
        is distinct from (v_new.cron, v_new.every_seconds, v_new.timezone, v_new.starts_at, v_new.ends_at) then
    v_new.anchor_at := coalesce(v_new.starts_at, date_trunc('second', v_now));
    v_new.next_tick_at := tasker.schedule_next_tick(v_new, v_now);
    v_new.queued_tick_at := null;
  end if;
  v_new := tasker.write_schedule(v_new);
  perform tasker.notify_steps_ready(p_namespace);
  perform tasker.notify_orchestrators();
  return next v_new;
end;
$$;

comment on function tasker.set_schedule is
$$Sets a schedule, which creates a task of a template at every tick of a cron expression in a time zone, or every p_every_seconds, from now or p_starts_at until p_ends_at. If the namespace has a schedule of this name, changes that schedule. Returns the schedule.

The tick is the identity of its task, so each tick creates one task, however many workers and orchestrators fire it. A tick is due up to p_jitter_seconds after its time; the same tick always has the same delay. p_catch_up decides about missed ticks, which are late by more than the setting missed_tick_seconds. "skip" creates no task for them. "one" creates a single task, with the time of the first missed tick. "all" creates a task for each missed tick, the oldest first, for up to p_catch_up_limit ticks. While a task of the schedule runs, the next tick creates another task ("allow"), is skipped ("skip"), or waits until the running task has ended ("queue_one"). At most one tick waits.

Idempotent: an identical schedule keeps its next tick. p_actor is the caller's role by default. Locks the schedule, then its timer. Raises TK404 if there is no such template, TK410 if the version is retired, TK413 if the context or a text is too large, TK422 if an argument is malformed or the expression never ticks, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.set_schedule to tasker_orchestrator, tasker_operator;
