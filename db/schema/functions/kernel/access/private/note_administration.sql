create or replace function tasker.note_administration(
  p_kind        text,
  p_object      text,
  p_namespaces  text[],
  p_action      text,
  p_was         jsonb  default null,
  p_becomes     jsonb  default null
)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_call text   := tasker.calling_function();
  v_act  text[] := tasker.current_act(v_call);
begin
  insert into tasker.administration_log (kind, object, namespaces, action, call, actor, reason, was, becomes)
  values (p_kind, p_object, nullif(array_remove(p_namespaces, null), '{}'), p_action, v_call, v_act[1], v_act[2], p_was, p_becomes);
end;
$$;

comment on function tasker.note_administration is
$$Writes into tasker.administration_log a change that a function has made outside the tables of pgtasker, such as the creation of a queue.$$;
