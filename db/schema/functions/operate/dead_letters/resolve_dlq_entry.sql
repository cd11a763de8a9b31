create or replace function tasker.resolve_dlq_entry(
  p_dlq_entry_uuid     uuid,
  p_resolution_status  text,
  p_notes              text  default null,
  p_actor              text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_bound_dlq_entry(p_dlq_entry_uuid);
  perform tasker.check_text_size('text of the notes', p_notes, 1000);
  perform tasker.check_given_name('actor', p_actor, 200);
  if p_resolution_status is null or p_resolution_status not in ('manually_resolved', 'permanently_failed', 'cancelled') then
    raise exception using
      errcode = 'TK422',
      message = format('an investigation cannot end as "%s"', left(coalesce(p_resolution_status, 'null'), 100)),
      hint    = 'Use manually_resolved, permanently_failed or cancelled.';
  end if;

  update tasker.tasks_dlq as d
     set resolution_status    = p_resolution_status,
         resolution_timestamp = tasker.clock(),
         resolution_notes     = coalesce(p_notes, d.resolution_notes),
         resolved_by          = tasker.actor_name(p_actor)
   where d.dlq_entry_uuid = p_dlq_entry_uuid
     and d.resolution_status = 'pending';
  if found then
    return true;
  end if;

  if not exists (select from tasker.tasks_dlq as d where d.dlq_entry_uuid = p_dlq_entry_uuid) then
    perform tasker.raise_dlq_entry_not_found(p_dlq_entry_uuid);
  end if;
  return false;
end;
$$;

comment on function tasker.resolve_dlq_entry is
$$Ends an investigation as manually_resolved, permanently_failed or cancelled. Returns true if this call ended the
investigation, and false if it had already ended. Does not change the task. To run the task again, call
requeue_dlq_entry.

p_notes say why, and p_actor says who did it (by default the caller's role). Locks the entry. Raises TK404 if there is
no such entry, TK422 for any other resolution, and TK403 if the caller is bound to other namespaces than the task's.$$;

grant execute on function tasker.resolve_dlq_entry to tasker_operator;
