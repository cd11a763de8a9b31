create or replace function tasker.move_queue_to_extension(p_queue_name text, p_unlogged boolean)
  returns bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_queue    text   := format('%I', lower('q_' || p_queue_name));
  v_archive  text   := format('%I', lower('a_' || p_queue_name));
  v_columns  text   := 'msg_id, read_ct, enqueued_at, last_read_at, vt, message, headers';
  v_moved    bigint;
  v_archived bigint;
begin
  if p_unlogged then
    perform pgmq.create_unlogged(p_queue_name);
  else
    perform pgmq.create(p_queue_name);
  end if;

  execute format(
    'insert into pgmq.%1$s (%2$s) overriding system value select %2$s from pgmq_embedded.%1$s', v_queue, v_columns
  );
  get diagnostics v_moved = row_count;
  execute format(
    'insert into pgmq.%1$s (%2$s, archived_at) select %2$s, archived_at from pgmq_embedded.%1$s', v_archive, v_columns
  );
  get diagnostics v_archived = row_count;

  -- Ids continue after the last id of the old queue, so that no id is used twice.
  execute format(
    'select setval(%L, s.last_value, s.is_called) from %s as s',
    pg_get_serial_sequence('pgmq.' || v_queue, 'msg_id'), pg_get_serial_sequence('pgmq_embedded.' || v_queue, 'msg_id')
  );
  return v_moved + v_archived;
end;
$$;

comment on function tasker.move_queue_to_extension is
$$Recreates a queue of schema pgmq_embedded in schema pgmq, with its messages in flight, its archive and its id sequence. Returns how many messages it copied.$$;
