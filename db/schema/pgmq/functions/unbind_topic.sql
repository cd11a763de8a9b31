-- down: nothing
create or replace function tasker_pgmq.unbind_topic(pattern text, queue_name text)
  returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if coalesce(pattern, '') = '' then
    raise exception 'pattern cannot be NULL or empty';
  elsif coalesce(queue_name, '') = '' then
    raise exception 'queue_name cannot be NULL or empty';
  end if;

  delete from pgmq.topic_bindings as b
   where b.pattern = unbind_topic.pattern
     and b.queue_name = unbind_topic.queue_name;
  return found;
end;
$$;

comment on function tasker_pgmq.unbind_topic(text, text) is
$$Ends what bind_topic began. False if there is no such binding.$$;
