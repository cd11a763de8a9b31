create or replace function tasker.same_context(p_context jsonb, p_other jsonb)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select coalesce(tasker.is_sealed(p_context) and tasker.is_sealed(p_other)
    and p_context #>> '{pgtasker,hash}' = p_other #>> '{pgtasker,hash}', false);
end;

comment on function tasker.same_context is
$$Door: a request has the same identity key as an existing task, but another text as its context. Returns true if both texts are encryptions of the same context.$$;
