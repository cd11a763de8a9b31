create or replace function tasker.create_token(
  p_name        text,
  p_token_hash  bytea,
  p_role_name   text,
  p_namespaces  text[],
  p_expires_at  timestamptz  default null,
  p_actor       text         default null,
  p_reason      text         default null
)
  returns setof tasker.token_details
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_role    oid := to_regrole(quote_ident(left(p_role_name, 64)));
  v_problem text;
  v_token   tasker.access_tokens;
begin
  perform tasker.check_unbound();
  perform tasker.administer(p_actor, p_reason);
  if v_role is null or length(p_role_name) > 63 then
    raise exception using
      errcode = 'TK404',
      message = format('role %s does not exist', coalesce('"' || left(p_role_name, 100) || '"', 'null')),
      hint    = 'A token has one of the roles tasker_reader, tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator.';
  end if;
  v_problem := tasker.token_role_problem(v_role);
  v_problem := case
    when p_name is null or p_name !~ '^[A-Za-z0-9][A-Za-z0-9._@-]{0,62}$'
      then format('a token cannot be called %s', coalesce('"' || left(p_name, 100) || '"', 'null'))
    when p_token_hash is null or octet_length(p_token_hash) <> 32 then 'the hash of a token has 32 bytes'
    when v_problem is not null then format('a token cannot have role "%s": %s', p_role_name, v_problem)
    when p_namespaces is null or array_ndims(p_namespaces) > 1 then 'the namespaces of a token are a list'
    when p_expires_at <= tasker.clock() then 'a token cannot expire before now'
  end;
  if v_problem is not null then
    raise exception using
      errcode = 'TK422',
      message = v_problem,
      hint    = 'See docs/serve.md: a name of letters, digits and ._@-, the SHA-256 of 32 random bytes, a role of pgtasker''s, namespaces or {*} for all.';
  end if;
  perform tasker.check_instant('time of expiry', nullif(p_expires_at, 'infinity'));
  perform tasker.check_array_size('namespaces', cardinality(p_namespaces), 1000);
  if p_namespaces <> '{*}' then
    perform tasker.check_namespace_exists(u.namespace)
       from unnest(p_namespaces) as u (namespace);
  end if;

  insert into tasker.access_tokens (name, token_hash, role, namespaces, expires_at)
  values (
    p_name, p_token_hash, v_role::regrole,
    array(select distinct u.namespace from unnest(p_namespaces) as u (namespace) order by 1),
    nullif(p_expires_at, 'infinity')
  )
      on conflict do nothing
  returning *
    into v_token;
  if not found then
    raise exception using
      errcode = 'TK409',
      message = format('there is a token called "%s", or with the same secret, already', p_name),
      hint    = 'Names are used once, so that histories stay unambiguous: choose another.';
  end if;
  return next tasker.describe_token(v_token);
end;
$$;

comment on function tasker.create_token is
$$Lets "tasker serve" accept a token. The database gets only the SHA-256 of the token. Requests with the token act as
the role p_role_name in p_namespaces. {*} means all namespaces, and an empty list means no namespace. Without
p_expires_at the token is valid until it is revoked.

Locks the row that it inserts. Raises TK404 if there is no such role or namespace. Raises TK422 for an argument that is
malformed or a role that is not pgtasker's. Raises TK409 if the name was used before, and TK403 if the caller itself is
bound to namespaces.$$;

grant execute on function tasker.create_token to tasker_operator;
