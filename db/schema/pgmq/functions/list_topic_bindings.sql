-- down: nothing
create or replace function tasker_pgmq.list_topic_bindings()
  returns table (pattern text, queue_name text, bound_at timestamptz, compiled_regex text)
  language sql
  stable
begin atomic
  select b.pattern, b.queue_name, b.bound_at, b.compiled_regex
    from tasker_pgmq.topic_bindings as b
   order by b.bound_at desc, b.pattern, b.queue_name;
end;

comment on function tasker_pgmq.list_topic_bindings() is
$$All bindings of patterns to queues, newest first.$$;

create or replace function tasker_pgmq.list_topic_bindings(queue_name text)
  returns table (pattern text, queue_name text, bound_at timestamptz, compiled_regex text)
  language sql
  stable
begin atomic
  -- By number, because PL/pgSQL would not have a parameter and a column of one name.
  select b.pattern, b.queue_name, b.bound_at, b.compiled_regex
    from tasker_pgmq.topic_bindings as b
   where b.queue_name = $1
   order by b.bound_at desc, b.pattern;
end;

comment on function tasker_pgmq.list_topic_bindings(text) is
$$The patterns of one queue, newest first.$$;
