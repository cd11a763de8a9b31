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
  -- If the assignee is not a role of this server, it is only a name for people, which is shown but not enforced.
  return v_role is null or coalesce(pg_has_role(v_sender, v_role, 'member'), false);
end;
$$;

comment on function tasker.may_answer is
$$Returns whether this role may answer a wait with this assignee. The role must be a member of the assignee's role, unless the assignee is not a role. Any role may answer a wait without an assignee (null).$$;
