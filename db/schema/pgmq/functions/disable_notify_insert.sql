-- down: nothing
create or replace function tasker_pgmq.disable_notify_insert(queue_name text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table text := pgmq.format_table_name(queue_name, 'q');
begin
  execute format('drop trigger if exists trigger_notify_queue_insert_listeners on pgmq.%I', v_table);
  delete from pgmq.notify_insert_throttle as t where t.queue_name = disable_notify_insert.queue_name;
end;
$$;

comment on function tasker_pgmq.disable_notify_insert(text) is
$$Ends what enable_notify_insert began. Nothing happens, with a notice, if it did not.$$;
