create or replace function tasker.may_use_queue(p_queue_name text, p_privilege text)
  returns boolean
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_caller    name     := tasker.caller_name();
  v_namespace text     := substring(p_queue_name from '^worker_([a-z][a-z0-9_]*)_queue(?:_high|_low)?$');
  v_bound     text[]   := tasker.bound_namespaces();
begin
  if v_bound is not null then
    if v_namespace = any (v_bound) then
      return true;
    end if;
  elsif v_namespace is not null
     or p_queue_name = 'orchestration_task_requests' and p_privilege = 'insert'
     or p_privilege = 'select' and pg_has_role(v_caller, 'tasker_reader', 'usage')
     or pg_has_role(v_caller, 'tasker_orchestrator', 'usage')
     or pg_has_role(v_caller, 'tasker_operator', 'usage') then
    return true;
  end if;

  -- What the caller may do without pgtasker, it may do with it.
  if not has_schema_privilege(to_regnamespace('pgmq'), 'usage') then
    return false;
  end if;
  return coalesce(
    has_table_privilege(v_caller, to_regclass('pgmq.' || quote_ident(lower('q_' || p_queue_name))), p_privilege), false
  );
end;
$$;

comment on function tasker.may_use_queue(text, text) is
$$Whether the caller may send to (insert), read (select), take from (update) or empty (delete) a queue: the queues of the namespaces that it may work in; orchestrators and operators all that tasker_owner may use, and readers may read them, unless they are bound; anybody may send task requests, unless bound; and what a role may do to the queue's table itself.$$;

revoke all on function tasker.may_use_queue(text, text) from public;
