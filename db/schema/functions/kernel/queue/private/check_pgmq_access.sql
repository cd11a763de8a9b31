create or replace function tasker.check_pgmq_access(p_privilege text)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not coalesce(has_schema_privilege(to_regnamespace('pgmq'), p_privilege), false) then
    raise exception using
      errcode = 'TK403',
      message = format('tasker_owner lacks the privilege "%s" on schema "pgmq"', p_privilege),
      hint    = 'The owner of schema pgmq must call tasker.adopt_pgmq().';
  end if;
end;
$$;

comment on function tasker.check_pgmq_access is
$$Raises TK403 if tasker_owner does not have a privilege (usage or create) on schema pgmq, which may belong to another role.$$;
