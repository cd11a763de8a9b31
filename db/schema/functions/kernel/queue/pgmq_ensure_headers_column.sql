create or replace function tasker.pgmq_ensure_headers_column(p_queue_name text)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table regclass;
  v_added boolean := false;
begin
  perform tasker.queue_table(p_queue_name);
  perform tasker.check_queue_right(p_queue_name, 'insert');
  foreach v_table in array array[
    tasker.queue_table(p_queue_name),
    to_regclass(format('pgmq.%I', lower('a_' || p_queue_name)))
  ] loop
    if v_table is null or exists (
      select from pg_attribute as a where a.attrelid = v_table and a.attname = 'headers' and not a.attisdropped
    ) then
      continue;
    end if;
    if not pg_has_role((select c.relowner from pg_class as c where c.oid = v_table), 'usage') then
      raise exception using
        errcode = 'TK403',
        message = format('queue "%s" belongs to another role', p_queue_name),
        hint    = format('Ask its owner to add the column headers jsonb to %s.', v_table);
    end if;
    execute format('alter table %s add column if not exists headers jsonb', v_table);
    v_added := true;
  end loop;
  return v_added;
end;
$$;

comment on function tasker.pgmq_ensure_headers_column is
$$Adds the column "headers" to a queue and its archive if pgmq before 1.5 created them. Returns true if this call added the column.

Idempotent. If the column is added, the table is locked exclusively for a moment. Raises TK404 if there is no such queue, TK403 if it belongs to another role.$$;

grant execute on function tasker.pgmq_ensure_headers_column to tasker_orchestrator, tasker_operator;
