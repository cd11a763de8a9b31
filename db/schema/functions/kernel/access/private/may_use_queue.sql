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

  -- A caller with rights on the queue's table may use them through pgtasker too.
  if not has_schema_privilege(to_regnamespace('pgmq'), 'usage') then
    return false;
  end if;
  return coalesce(
    has_table_privilege(v_caller, to_regclass('pgmq.' || quote_ident(lower('q_' || p_queue_name))), p_privilege), false
  );
end;
$$;

comment on function tasker.may_use_queue is
$$Returns true if the caller may send to (insert), read (select), take from (update) or empty (delete) a queue. A role may use the queues of its namespaces. If they are not bound, orchestrators and operators may use all queues that tasker_owner may use, readers may read these queues, and any role may send task requests. A role may also use its rights on the queue's table.$$;
