create or replace function tasker.check_worker(p_worker_uuid uuid, p_as_operator boolean default false)
  returns void
  language plpgsql
as $$
declare
  v_worker     tasker.workers;
  v_bound      text[];
  v_namespaces text[];
begin
  select w.*
    into v_worker
    from tasker.workers as w
   where w.worker_uuid = p_worker_uuid;
  if v_worker.login is null or (v_worker.login, v_worker.role) is not distinct from (session_user::text, tasker.set_role()) then
    return;
  end if;
  if p_as_operator and pg_has_role(tasker.caller_name(), 'tasker_operator', 'member') then
    v_bound := tasker.bound_namespaces();
    v_namespaces := tasker.worker_namespaces(v_worker);
    if v_bound is null or v_namespaces <@ v_bound and v_namespaces <> '{}' then
      return;
    end if;
  end if;
  perform tasker.raise_other_worker(p_worker_uuid);
end;
$$;

comment on function tasker.check_worker is
$$Raises TK403 if another role has registered the worker of this UUID. With p_as_operator (for calls other than claims), an operator may act for the worker if the operator's namespaces include all namespaces that the worker may serve.$$;
