create or replace function tasker.claim_value(p_claims jsonb, p_claim text)
  returns jsonb
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- A person may have entered the address of another person.
  if p_claim = 'email' and p_claims ->> 'email_verified' is distinct from 'true' then
    return null;
  end if;
  return coalesce(p_claims -> p_claim, p_claims #> string_to_array(p_claim, '.'));
end;
$$;

comment on function tasker.claim_value is
$$Returns a claim of a person, or null if the person does not have this claim. If there is no claim with the whole name,
the dots in the name lead into objects. An e-mail address counts only if the provider has verified it.$$;
