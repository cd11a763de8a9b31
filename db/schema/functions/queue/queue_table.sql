create or replace function tasker.queue_table(p_queue_name text)
  returns regclass
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table regclass;
begin
  -- What is usable is found without looking at the name; the rest is to say why it is not.
  if has_schema_privilege(to_regnamespace('pgmq'), 'usage') then
    v_table := to_regclass('pgmq.' || quote_ident(lower('q_' || p_queue_name)));
    if has_table_privilege(v_table, 'select') and has_table_privilege(v_table, 'insert')
       and has_table_privilege(v_table, 'update') and has_table_privilege(v_table, 'delete') then
      return v_table;
    end if;
  end if;

  perform tasker.check_queue_name(p_queue_name);
  perform tasker.check_pgmq_access('usage');
  if v_table is null then
    raise exception using
      errcode = 'TK404',
      message = format('queue "%s" does not exist', p_queue_name),
      hint    = 'Create it with tasker.ensure_task_queue(name).';
  end if;
  raise exception using
    errcode = 'TK403',
    message = format('tasker_owner may not use queue "%s"', p_queue_name),
    hint    = 'Have the owner of the queue call tasker.adopt_pgmq().';
end;
$$;

comment on function tasker.queue_table(text) is
$$The table of a queue. Raises TK422 for a name that no queue can have, TK404 if there is no such queue, TK403 if it belongs to somebody who has not shared it.$$;

revoke all on function tasker.queue_table(text) from public;
