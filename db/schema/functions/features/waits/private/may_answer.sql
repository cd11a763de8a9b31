create or replace function tasker.may_answer(p_assignee text, p_sender text)
  returns boolean
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_role   oid := (select r.oid from pg_roles as r where r.rolname = p_assignee);
  v_sender oid := (select r.oid from pg_roles as r where r.rolname = p_sender);
begin
  -- An assignee that is no role of this server is a name for people. The name is shown, not enforced.
  return v_role is null or coalesce(pg_has_role(v_sender, v_role, 'member'), false);
end;
$$;

comment on function tasker.may_answer is
$$Returns whether this role may answer a wait that has this assignee: it is a member of the assignee's role, or there is no such role. Any role may answer a wait without an assignee (null).$$;
