-- down: nothing
create or replace function tasker_pgmq.bind_topic(pattern text, queue_name text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform pgmq.validate_topic_pattern(pattern);
  if coalesce(queue_name, '') = '' then
    raise exception 'queue_name cannot be NULL or empty';
  end if;
  perform from pgmq.meta as m where m.queue_name = bind_topic.queue_name;
  if not found then
    raise exception 'Queue "%" does not exist. Create the queue first using pgmq.create()', queue_name;
  end if;

  insert into pgmq.topic_bindings (pattern, queue_name)
  values (bind_topic.pattern, bind_topic.queue_name)
  on conflict on constraint topic_bindings_unique_pattern_queue do nothing;
end;
$$;

comment on function tasker_pgmq.bind_topic(text, text) is
$$Has a queue get the messages whose routing key matches a pattern. Nothing happens if it does so already.$$;
