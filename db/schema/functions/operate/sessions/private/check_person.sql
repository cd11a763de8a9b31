create or replace function tasker.check_person(p_claims jsonb)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text := case
    when p_claims is null or jsonb_typeof(p_claims) <> 'object' then 'the claims of a person are an object'
    when octet_length(p_claims::text) > 262144 then 'the claims of a person are larger than 256 kB'
    when jsonb_typeof(p_claims -> 'iss') is distinct from 'string' or length(p_claims ->> 'iss') not between 1 and 500
      then 'the claim iss is not the name of a provider'
    when jsonb_typeof(p_claims -> 'sub') is distinct from 'string' or p_claims ->> 'sub' !~ '^[!-~]([ -~]{0,253}[!-~])?$'
      then 'the claim sub is not the name of a person'
  end;
begin
  if v_problem is not null then
    raise exception using
      errcode = 'TK422',
      message = v_problem,
      hint    = 'The claims are those of an ID token: iss and sub, up to 255 printable ASCII characters, and more.';
  end if;
end;
$$;

comment on function tasker.check_person is
$$Raises TK422 if these cannot be the claims of a person.$$;
