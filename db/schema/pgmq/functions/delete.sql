-- down: nothing
create or replace function tasker_pgmq.delete(queue_name text, msg_id bigint)
  returns boolean
  language plpgsql
as $$
declare
  v_id bigint;
begin
  -- Qualify names instead of setting a search_path, which would be a tenth of the cost of a call.
  execute pg_catalog.format(
    'delete from pgmq.%I as q where q.msg_id operator(pg_catalog.=) $1 returning q.msg_id',
    pgmq.format_table_name(queue_name, 'q')
  ) into v_id using msg_id;
  return v_id is not null;
end;
$$;

comment on function tasker_pgmq.delete(text, bigint) is
$$Deletes a message. Returns false if the message is not in the queue.$$;

create or replace function tasker_pgmq.delete(queue_name text, msg_ids bigint[])
  returns setof bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set enable_seqscan = off
  set jit = off
as $$
begin
  return query execute format(
    'delete from pgmq.%I as q where q.msg_id = any ($1) returning q.msg_id',
    pgmq.format_table_name(queue_name, 'q')
  ) using msg_ids;
end;
$$;

comment on function tasker_pgmq.delete(text, bigint[]) is
$$Deletes messages and returns the ids of the deleted messages. Skips ids that are not in the queue.$$;
