create or replace function tasker.change_schedule(p_schedule_uuid uuid, p_new tasker.schedules, p_now timestamptz, p_actor text)
  returns tasker.schedules
  language plpgsql
as $$
declare
  v_new tasker.schedules;
begin
  update tasker.schedules as s
     set task_name          = p_new.task_name,
         task_version       = p_new.task_version,
         cron               = p_new.cron,
         every_seconds      = p_new.every_seconds,
         timezone           = p_new.timezone,
         jitter_seconds     = p_new.jitter_seconds,
         starts_at          = p_new.starts_at,
         ends_at            = p_new.ends_at,
         catch_up           = p_new.catch_up,
         catch_up_limit     = p_new.catch_up_limit,
         overlap            = p_new.overlap,
         context            = p_new.context,
         priority           = p_new.priority,
         tags               = p_new.tags,
         deadline_seconds   = p_new.deadline_seconds,
         creator_namespaces = p_new.creator_namespaces,
         -- Clear the error, because the change may have removed its cause.
         failures           = 0,
         last_error         = null,
         last_error_at      = null,
         updated_at         = p_now,
         updated_by         = tasker.actor_name(p_actor)
   where s.schedule_uuid = p_schedule_uuid
     and (
       s.anchor_at = 'infinity'
       or (s.task_name, s.task_version, s.cron, s.every_seconds, s.timezone, s.jitter_seconds, s.starts_at, s.ends_at, s.catch_up,
           s.catch_up_limit, s.overlap, s.context, s.priority, s.tags, s.deadline_seconds,
           s.creator_namespaces)
          is distinct from
          (p_new.task_name, p_new.task_version, p_new.cron, p_new.every_seconds, p_new.timezone, p_new.jitter_seconds, p_new.starts_at,
           p_new.ends_at, p_new.catch_up, p_new.catch_up_limit, p_new.overlap,
           -- If the same context was encrypted again with the same key, only the ciphertext differs. A different
           -- ciphertext alone does not count as a change.
           case when s.context #> '{pgtasker,hash}' is not null and s.context #- '{pgtasker,ct}' = p_new.context #- '{pgtasker,ct}'
             then s.context
             else p_new.context end,
           p_new.priority, p_new.tags, p_new.deadline_seconds, p_new.creator_namespaces)
     )
  returning s.* into v_new;
  return v_new;
end;
$$;

comment on function tasker.change_schedule is
$$Updates a schedule and clears its errors. Returns the schedule, or null if nothing changed. The caller has locked the schedule.$$;
