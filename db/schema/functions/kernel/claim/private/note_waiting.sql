create or replace function tasker.note_waiting(p_worker_uuid uuid, p_waiting uuid[])
  returns void
  language plpgsql
as $$
begin
  perform tasker.check_worker(p_worker_uuid);
  update tasker.workers as w
     set request_begun = null,
         waiting_steps = p_waiting
   where w.worker_uuid = p_worker_uuid;
end;
$$;

comment on function tasker.note_waiting is
$$Records which claimed steps of a worker still wait for a handler, if the worker's call claims nothing, because a claim records it. Locks the worker's row. Raises TK403 if the worker belongs to another role.$$;
