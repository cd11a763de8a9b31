create or replace function tasker.person_email(p_claims jsonb)
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return p_claims ->> 'email'
   where jsonb_typeof(p_claims -> 'email') = 'string'
     and p_claims ->> 'email' ~ '^[!#-''*-+./0-9=?A-Z^-~-]{1,64}@[A-Za-z0-9.-]{1,190}$'
     and p_claims ->> 'email_verified' is distinct from 'false';
end;
$$;

comment on function tasker.person_email is
$$Returns the e-mail address of a person for histories. Returns null if there is no address, or if the provider says
that it has not verified the address.$$;
