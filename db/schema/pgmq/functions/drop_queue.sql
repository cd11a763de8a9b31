-- down: nothing
create or replace function tasker_pgmq.drop_queue(queue_name text)
  returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_queue   text := pgmq.format_table_name(queue_name, 'q');
  v_archive text := pgmq.format_table_name(queue_name, 'a');
begin
  perform pgmq.acquire_queue_lock(queue_name);

  delete from pgmq.meta as m where lower(m.queue_name) = lower(drop_queue.queue_name);
  if not found and to_regclass('pgmq.' || quote_ident(v_queue)) is null then
    raise notice 'pgmq queue `%` does not exist', queue_name;
    return false;
  end if;

  if to_regclass(format('pgmq.%I', v_queue)) is not null then
    execute format('drop table pgmq.%I', v_queue);
  end if;
  if to_regclass(format('pgmq.%I', v_archive)) is not null then
    execute format('drop table pgmq.%I', v_archive);
  end if;
  return true;
end;
$$;

comment on function tasker_pgmq.drop_queue(text) is
$$Drops a queue with its messages and its archive. If the queue does not exist, returns false and raises a notice.$$;

create or replace function tasker_pgmq.drop_queue(queue_name text, partitioned boolean)
  returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise warning 'drop_queue(queue_name, partitioned) is deprecated and will be removed in PGMQ v2.0. Use drop_queue(queue_name) instead';
  return pgmq.drop_queue(queue_name);
end;
$$;

comment on function tasker_pgmq.drop_queue(text, boolean) is
$$Does the same as drop_queue(queue_name), and raises a warning that this form is deprecated.$$;
