create or replace function tasker.check_worker(p_worker_uuid uuid)
  returns void
  language plpgsql
as $$
declare
  v_login text;
  v_role  text;
begin
  select w.login, w.role
    into v_login, v_role
    from tasker.workers as w
   where w.worker_uuid = p_worker_uuid;
  if v_login is not null and not tasker.may_be_worker(v_login, v_role) then
    perform tasker.raise_other_worker(p_worker_uuid);
  end if;
end;
$$;

comment on function tasker.check_worker(uuid) is
$$Raises TK403 if another role has entered the worker of this UUID.$$;

revoke all on function tasker.check_worker(uuid) from public;
