create or replace function tasker.note_debounced(p_request tasker.task_requests, p_task_uuid uuid)
  returns void
  language plpgsql
as $$
begin
  update tasker.task_debounces as d
     set task_uuid = p_task_uuid,
         first_at  = p_request.debounced_since
   where d.key_hash = p_request.debounce_hash;
end;
$$;

comment on function tasker.note_debounced is
$$Records the last task of a debounced key. This transaction has locked the key's row.$$;
