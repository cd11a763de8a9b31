create or replace function tasklib.stats(
  p_name           text              default null,
  p_since_seconds  double precision  default 3600
)
  returns setof tasklib.task_stats
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_since uuid;
  v_now   timestamptz := tasklib.clock();
begin
  p_since_seconds := coalesce(p_since_seconds, 3600);
  if p_since_seconds between 0 and 3153600000 is not true then
    raise exception using
      errcode = 'TK422',
      message = format('there are no statistics of the last %s seconds', p_since_seconds),
      hint    = 'The time must be between 0 seconds and 100 years.';
  end if;
  if p_name is not null and not exists (select from tasklib.registered_tasks as r where r.name = p_name) then
    perform tasklib.raise_name_not_found(p_name);
  end if;
  -- An id begins with the time of submission, so a range of ids is a range of time.
  v_since := lpad(to_hex(greatest(0, floor(
    extract(epoch from v_now - make_interval(secs => p_since_seconds)) * 1000))::bigint), 12, '0') || repeat('0', 20);

  return query
  select r.name, r.paused_at is not null,
         coalesce(a.ready, 0) + coalesce(w.due, 0), coalesce(w.waiting, 0), coalesce(l.running, 0), coalesce(f.failed, 0),
         least(o.scheduled_at, a.keyed_at, w.due_at), k.opened_until,
         coalesce(s.submitted, 0), coalesce(s.completed, 0), coalesce(s.retried, 0), s.mean_run, s.mean_wait
    from tasklib.registered_tasks as r
    left join tasklib.task_limits as k on k.name = r.name
    left join (
      select u.name, count(*) as ready, min(u.keyed_at) as keyed_at
        from (
          select t.name, null::timestamptz as keyed_at from tasklib.tasks as t where t.ready and t.limit_key is null
          union all
          select t.name, t.scheduled_at from tasklib.tasks as t where t.ready and t.limit_key is not null
        ) as u
       group by u.name
    ) as a on a.name = r.name
    left join (
      -- A claim marks tasks as ready when their time has come. Count a due task as ready even if no claim has marked it yet.
      select t.name, count(*) filter (where t.scheduled_at > v_now) as waiting,
             count(*) filter (where t.scheduled_at <= v_now) as due, min(t.scheduled_at) filter (where t.scheduled_at <= v_now) as due_at
        from tasklib.tasks as t
       where t.state = 'pending'
         and not t.ready
       group by t.name
    ) as w on w.name = r.name
    left join (
      select t.name, count(*) as running from tasklib.tasks as t where t.locked_until is not null group by t.name
    ) as l on l.name = r.name
    left join (
      select t.name, count(*) as failed from tasklib.tasks as t where t.state = 'failed' group by t.name
    ) as f on f.name = r.name
    left join lateral (
      select t.scheduled_at
        from tasklib.tasks as t
       where t.name = r.name
         and t.ready
         and t.limit_key is null
       order by t.priority desc, t.id
       limit 1
    ) as o on true
    left join (
      select t.name, count(*) as submitted,
             count(*) filter (where t.state = 'completed') as completed,
             count(*) filter (where t.retry_count > 0) as retried,
             avg(extract(epoch from t.completed_at - t.started_at)) filter (where t.state = 'completed')::double precision as mean_run,
             avg(extract(epoch from t.started_at - t.scheduled_at)) filter (where t.started_at >= t.scheduled_at)::double precision as mean_wait
        from tasklib.tasks as t
       where t.id >= v_since
       group by t.name
    ) as s on s.name = r.name
   where p_name is null or r.name = p_name
   order by r.name;
end;
$$;

comment on function tasklib.stats is
$$Returns statistics of each name, or of one name: how many tasks are ready, wait for their time, run or have failed, and whether the name is paused or its circuit breaker is open. The column oldest_ready_at has the time since which the next task to be claimed, or another ready task, has been due. The other columns cover only tasks that were submitted in the last p_since_seconds: how many tasks there are, how many are completed or were retried, and how long they ran and waited on average.

The cost grows with the number of open and failed tasks and with the number of tasks submitted in that time. Older completed tasks cost nothing. Raises TK404 if the name is not registered, TK422 for an invalid time.$$;

grant execute on function tasklib.stats to tasklib_operator, tasklib_reader;
