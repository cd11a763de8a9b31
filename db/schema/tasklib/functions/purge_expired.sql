create or replace function tasklib.purge_expired(
  p_limit  integer  default 1000
)
  returns integer
  language plpgsql
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
  p_limit := coalesce(p_limit, 1000);
  if p_limit between 1 and 100000 is not true then
    raise exception using
      errcode = 'TK422',
      message = format('the limit is %s; it must be between 1 and 100,000', coalesce(p_limit::text, 'null')),
      hint    = 'One call deletes 1 to 100,000 tasks.';
  end if;
  -- Delete the rows by ctid. A ctid stays valid while the row is locked.
  delete from tasklib.key_rates as k
   where k.ctid = any (array(
     select p.place
       from tasklib.registered_tasks as r
      cross join lateral (
        select k.ctid as place
          from tasklib.key_rates as k
         where k.name = r.name
           and k.paid_until <= tasklib.clock()
         order by k.paid_until
         limit p_limit
           for update skip locked
      ) as p
      where r.keyed
   ));
  return tasklib.delete_tasks(array(
    select t.id
      from tasklib.tasks as t
     where t.expires_at is not null
       and t.expires_at <= tasklib.clock()
     order by t.expires_at
     limit p_limit
       for update skip locked
  ));
end;
$$;

comment on function tasklib.purge_expired is
$$Deletes at most p_limit expired tasks and their recorded runs, and returns how many tasks it deleted. Workers call this function periodically. If no task has expired, a call searches one index for tasks, and another index once for each name with limit keys. Also deletes rows of tasklib.key_rates whose limit keys may use their whole rate again.

Locks the tasks without waiting. Raises TK422 for a limit out of bounds.$$;

grant execute on function tasklib.purge_expired to tasklib_worker, tasklib_operator;
