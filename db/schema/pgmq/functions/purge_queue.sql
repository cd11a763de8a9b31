-- down: nothing
create or replace function tasker_pgmq.purge_queue(queue_name text)
  returns bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table   text := format('pgmq.%I', pgmq.format_table_name(queue_name, 'q'));
  v_timeout text := current_setting('lock_timeout');
  v_many    boolean;
  v_count   bigint;
begin
  execute format('select exists (select from %s offset 10000)', v_table) into v_many;

  -- A truncation waits for every other transaction on the queue, and all later transactions wait for it. So truncate only a
  -- long queue, and only if the lock is available within 200 milliseconds.
  if v_many then
    begin
      perform set_config('lock_timeout', '200ms', true);
      execute format('lock table only %s in access exclusive mode', v_table);
      execute format('select count(*) from %s', v_table) into v_count;
      execute format('truncate table %s', v_table);
      perform set_config('lock_timeout', v_timeout, true);
      return v_count;
    exception
      when lock_not_available or insufficient_privilege then
        null;
    end;
  end if;

  execute format('delete from %s', v_table);
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;

comment on function tasker_pgmq.purge_queue(text) is
$$Deletes all messages of a queue and returns how many it deleted. Keeps the archive, and does not reset the ids of messages.

Truncates a queue of more than 10,000 messages if no other session is using the queue.$$;
