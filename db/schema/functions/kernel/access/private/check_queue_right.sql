create or replace function tasker.check_queue_right(p_queue_name text, p_privilege text)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not tasker.may_use_queue(p_queue_name, p_privilege) then
    raise exception using
      errcode = 'TK403',
      message = format('role "%s" may not use queue %s', tasker.caller_name(), coalesce('"' || left(p_queue_name, 100) || '"', 'null')),
      detail  = coalesce(
        'It is bound to ' || nullif(array_to_string((tasker.bound_namespaces())[:10], ', '), '') || '.',
        'Workers and submitters may use the queues worker_<namespace>_queue, and their own.'
      ),
      hint    = 'Grant it rights on the table of the queue, or let an orchestrator do it.';
  end if;
end;
$$;

comment on function tasker.check_queue_right is
$$Raises TK403 if tasker.may_use_queue returns false.$$;
