create or replace function tasklib.has_open_key(p_name text, p_key_limit integer)
  returns boolean
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_key text := '';
begin
  loop
    v_key := (
      select t.limit_key
        from tasklib.tasks as t
       where t.name = p_name
         and t.ready
         and t.limit_key is not null
         and t.limit_key > v_key
       order by t.limit_key
       limit 1
    );
    if v_key is null then
      return false;
    end if;
    if p_key_limit is null or (
      select count(*)
        from tasklib.tasks as t
       where t.name = p_name
         and t.limit_key = v_key
         and t.limit_key is not null
         and t.locked_until is not null
    ) < p_key_limit then
      return true;
    end if;
  end loop;
end;
$$;

comment on function tasklib.has_open_key(text, integer) is
$$Whether a limit key of a name has a ready task and fewer than p_key_limit that run. Reads two index entries or a few for each key whose places are taken.$$;

revoke all on function tasklib.has_open_key(text, integer) from public;
