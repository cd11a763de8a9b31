create or replace function tasker.claim_value(p_claims jsonb, p_claim text)
  returns jsonb
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- A person may have entered an address that is another person's.
  if p_claim = 'email' and p_claims ->> 'email_verified' is distinct from 'true' then
    return null;
  end if;
  return coalesce(p_claims -> p_claim, p_claims #> string_to_array(p_claim, '.'));
end;
$$;

comment on function tasker.claim_value is
$$Returns a claim of a person, null if the person does not have it. If a name is no claim, its dots lead into objects. An e-mail address counts only if the provider has verified it.$$;
