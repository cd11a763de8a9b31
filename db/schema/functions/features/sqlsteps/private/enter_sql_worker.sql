create or replace function tasker.enter_sql_worker(p_slot_no integer, p_namespaces text[], p_handlers text[])
  returns uuid
  language plpgsql
as $$
declare
  v_worker uuid := md5(concat_ws(' ', 'sql', p_slot_no, session_user, tasker.set_role()))::uuid;
begin
  if not exists (
    select
      from tasker.workers as w
     where w.worker_uuid = v_worker
       and w.namespaces = p_namespaces
       and w.handlers = p_handlers
  ) then
    perform tasker.register_worker(v_worker, format('sql steps as %s#%s', session_user, p_slot_no), p_namespaces, p_handlers);
  end if;
  return v_worker;
end;
$$;

comment on function tasker.enter_sql_worker is
$$Returns the worker that claims in a slot for the caller's role, and registers the worker if it is not registered with these namespaces and handlers.$$;
