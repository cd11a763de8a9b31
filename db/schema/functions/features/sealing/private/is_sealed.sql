create or replace function tasker.is_sealed(p_value jsonb)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select coalesce(
    jsonb_typeof(p_value -> 'pgtasker') = 'object'
    and jsonb_typeof(p_value #> '{pgtasker,alg}') = 'string'
    and jsonb_typeof(p_value #> '{pgtasker,kid}') = 'string'
    and jsonb_typeof(p_value #> '{pgtasker,for}') = 'string'
    and jsonb_typeof(p_value #> '{pgtasker,ct}') = 'string'
    and coalesce(jsonb_typeof(p_value #> '{pgtasker,hash}'), 'string') = 'string'
    and (p_value -> 'pgtasker') - '{alg,kid,for,ct,hash}'::text[] = '{}',
    false
  );
end;

comment on function tasker.is_sealed is
$$Returns true if a value has the form of an encrypted payload: an object with the envelope in its field "pgtasker". The object may also have fields in the clear. Only a holder of the key knows whether the ciphertext is valid.$$;
