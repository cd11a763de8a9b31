create or replace function tasker.access_of_person(p_claims jsonb)
  returns setof tasker.access_map_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_person text;
  v_access tasker.access_map_details;
begin
  perform tasker.check_person(p_claims);
  v_person := tasker.person_name(p_claims ->> 'sub', tasker.person_email(p_claims));
  select a.* into v_access from tasker.access_of(tasker.mapped_claims(p_claims)) as a;
  if not found then
    perform tasker.raise_no_access(v_person);
  end if;
  v_access.claim := 'sub';
  v_access.value := v_person;
  return next v_access;
end;
$$;

comment on function tasker.access_of_person is
$$Returns the role and the namespaces that the access maps give to a person with these claims. The column value has the
person's name in histories. Raises TK403 if no access map gives the person a role, and TK422 for claims that are
malformed.$$;

grant execute on function tasker.access_of_person to tasker_server;
