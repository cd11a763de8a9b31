create or replace function tasker.person_name(p_subject text, p_email text)
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return 'person ' || coalesce(p_email || ' (' || p_subject || ')', p_subject);
end;
$$;

comment on function tasker.person_name is
$$Returns the name of a person for histories: the e-mail address, if there is one, and the subject.$$;
