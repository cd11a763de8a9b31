create or replace function tasker.queue_table(p_queue_name text)
  returns regclass
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table   regclass;
  v_archive regclass;
begin
  -- If the queue can be used, its name need not be checked. The rest of the body finds the reason for a refusal.
  if has_schema_privilege(to_regnamespace('pgmq'), 'usage') then
    v_table := to_regclass('pgmq.' || quote_ident(lower('q_' || p_queue_name)));
    v_archive := to_regclass('pgmq.' || quote_ident(lower('a_' || p_queue_name)));
    if has_table_privilege(v_table, 'select') and has_table_privilege(v_table, 'insert')
       and has_table_privilege(v_table, 'update') and has_table_privilege(v_table, 'delete')
       and tasker.pgmq_table_is_trusted(v_table)
       and (v_archive is null or tasker.pgmq_table_is_trusted(v_archive))
       and tasker.pgmq_functions_are_trusted() then
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
  if not tasker.pgmq_table_is_trusted(v_table) or not tasker.pgmq_table_is_trusted(coalesce(v_archive, v_table))
     or not tasker.pgmq_functions_are_trusted() then
    raise exception using
      errcode = 'TK403',
      message = format('queue "%s" is not used with the rights of tasker_owner', p_queue_name),
      detail  = format(
        'Its table belongs to %s. The table, one of its triggers, or a function of schema pgmq belongs to a role other than tasker_owner, the owner of schema or extension pgmq, or a superuser.',
        (select c.relowner::regrole from pg_class as c where c.oid = v_table)
      ),
      hint    = 'Give the tables of the queue to the owner of schema pgmq, and let no other role create objects in it.';
  end if;
  raise exception using
    errcode = 'TK403',
    message = format('tasker_owner may not use queue "%s"', p_queue_name),
    hint    = 'The owner of the queue must call tasker.adopt_pgmq().';
end;
$$;

comment on function tasker.queue_table is
$$Returns the table of a queue. Raises TK422 for an invalid queue name, TK404 if there is no such queue, TK403 if it belongs to a role that has not shared it, or whose triggers and views must not run with the rights of tasker_owner.$$;
