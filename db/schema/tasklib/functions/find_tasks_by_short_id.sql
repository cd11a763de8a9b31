create or replace function tasklib.find_tasks_by_short_id(p_short_id text)
  returns setof uuid
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  if coalesce(p_short_id !~* '^[0-9a-f]{4,8}$', true) then
    raise exception using
      errcode = 'TK422',
      message = format('%s is not a short id', coalesce('"' || left(p_short_id, 40) || '"', 'null')),
      hint    = 'It is the first 4 to 8 digits of a UUID''s last group, in hex.';
  end if;
  return query
  select t.id
    from (
      select t.id
        from tasklib.tasks as t
       order by t.id desc
       limit 200000
    ) as t
   where substr(t.id::text, 25, length(p_short_id)) = lower(p_short_id)
   order by t.id desc
   limit 10;
end;
$$;

comment on function tasklib.find_tasks_by_short_id is
$$Returns the ids of at most 10 tasks whose short id begins with p_short_id (4 to 8 digits), newest first. A short id is the first 8 digits of the last group of a task's UUID. These digits are random.

Searches the 200,000 newest tasks, and reads only the index of their ids. Raises TK422 if p_short_id is not a short id.$$;

grant execute on function tasklib.find_tasks_by_short_id to tasklib_submitter, tasklib_operator, tasklib_reader;
