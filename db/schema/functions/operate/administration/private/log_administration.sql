create or replace function tasker.log_administration()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set quote_all_identifiers = off
  set timezone = 'UTC'
  set datestyle = 'ISO, MDY'
  set intervalstyle = 'postgres'
  set extra_float_digits = 1
  set bytea_output = 'hex'
as $$
declare
  v_kind       tasker.administered_tables;
  v_was        jsonb;
  v_is         jsonb;
  v_namespaces text[];
  v_before     text[];
  v_call       text := tasker.calling_function();
  v_act        text[];
  v_actor      text;
begin
  -- Logical replication also brings the rows of the log.
  if exists (select from pg_stat_subscription as s where s.pid = pg_backend_pid()) then
    return null;
  end if;
  select a.* into v_kind from tasker.administered_tables as a where a.name = case tg_table_schema when 'tasker' then '' else tg_table_schema || '.' end || tg_table_name;
  -- An erasure changes the existing entries, because a new entry would have the data.
  if tasker.is_running('erase_rows(uuid,boolean)') then
    return null;
  end if;
  v_act := tasker.current_act(v_call);
  if tg_op = 'TRUNCATE' then
    insert into tasker.administration_log (kind, object, action, call, actor, reason)
    values (v_kind.name, '*', 'truncate', v_call, v_act[1], v_act[2]);
    return null;
  end if;

  if tg_op <> 'INSERT' then
    v_was := tasker.administered_row(v_kind, to_jsonb(old));
  end if;
  if tg_op <> 'DELETE' then
    v_is := tasker.administered_row(v_kind, to_jsonb(new));
  end if;
  if v_was = v_is then
    return null;
  end if;
  v_namespaces := tasker.object_namespaces(v_kind.name, coalesce(v_is, v_was));
  if v_was is not null and v_is is not null then
    -- An object that moves between namespaces is shown to readers of both namespaces.
    v_before := tasker.object_namespaces(v_kind.name, v_was);
    v_namespaces := case when v_before is not null and v_namespaces is not null then array(
      select unnest(v_namespaces) union select unnest(v_before) order by 1
    ) end;
  end if;
  -- The name that the caller gave itself in this call, otherwise the name that the object has.
  v_actor := case
    when v_act[1] is not null then v_act[1]
    when v_was ->> 'paused_by' is distinct from v_is ->> 'paused_by' then v_is ->> 'paused_by'
    when v_was ->> 'revoked_by' is distinct from v_is ->> 'revoked_by' then v_is ->> 'revoked_by'
    else coalesce(v_is ->> 'erased_by', v_is ->> 'ended_by', v_is ->> 'updated_by', v_is ->> 'changed_by', v_is ->> 'bound_by', v_is ->> 'created_by')
  end;
  insert into tasker.administration_log (kind, object, namespaces, action, call, actor, reason, was, becomes)
  values (
    v_kind.name, tasker.object_key(v_kind, coalesce(v_is, v_was)), v_namespaces, lower(tg_op), v_call, v_actor, v_act[2],
    v_was, v_is
  );
  return null;
end;
$$;

comment on function tasker.log_administration is
$$Trigger function: writes into tasker.administration_log each change in a table of tasker.administered_tables, by any
function or statement. Ignores columns that the engine writes while it works. Ignores changes by logical replication,
which also brings the rows of the log.$$;
