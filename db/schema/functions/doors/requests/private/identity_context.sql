create or replace function tasker.identity_context(p_schema jsonb, p_context jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  -- Two ciphertexts of one context differ, but their keyed hashes are equal.
  select case when p_schema ? 'encrypted' then coalesce(p_context #> '{pgtasker,hash}', p_context) else p_context end;
end;

comment on function tasker.identity_context is
$$Door: returns the part of the context that equal requests share. The template of the requested task has a schema of its input.$$;
