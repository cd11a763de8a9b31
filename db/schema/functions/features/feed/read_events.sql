create or replace function tasker.read_events(
  p_subscription   text,
  p_reader_uuid    uuid,
  p_limit          integer  default 100,
  p_lease_seconds  integer  default 30
)
  returns setof tasker.feed_events
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
declare
  s        tasker.subscriptions;
  v_before tasker.subscriptions;
  v_from   timestamptz;
  v_to     timestamptz;
  v_place  tasker.feed_keys;
  v_finds  tasker.feed_finds[];
  v_tasks  uuid[];
  v_first  uuid;
  v_last   uuid;
  v_fresh  boolean  := false;
  -- The most events that one query finds, which are the events of many batches.
  v_listed integer;
begin
  p_limit         := coalesce(p_limit, 100);
  p_lease_seconds := coalesce(p_lease_seconds, 30);
  perform tasker.check_isolation();
  perform tasker.check_limit(p_limit, 1000);
  if p_lease_seconds between 1 and 3600 is not true then
    perform tasker.raise_bad_lease(p_lease_seconds);
  end if;
  v_listed := least(100 * p_limit, 10000);
  s := tasker.take_subscription(p_subscription, p_reader_uuid);
  v_before := s;
  if tasker.subscription_is_behind(s) then
    perform tasker.raise_missed_events(s);
  end if;

  loop
    if s.until is null then
      s.until := tasker.feed_snapshot();
      s.until_at := tasker.write_clock();
      s.window_no := s.window_no + 1;
      v_fresh := true;
    end if;
    v_finds := '{}';
    v_to := 'infinity';
    if s.list_no < s.list_end then
      s.list_no := tasker.forget_feed_lists(s);
      v_finds := tasker.next_feed_events(s, p_limit);
    end if;
    v_place := row(s.place_at, s.place_task_uuid, s.place_step_no, s.place_sort_key);
    if v_finds = '{}' and s.last_key is distinct from v_place then
      v_from := coalesce(greatest(s.place_at, s.since), '-infinity');
      v_to := tasker.feed_slice_end(s, v_from);
      v_finds := tasker.find_feed_events(s, v_from, v_to, v_listed);
      s := tasker.note_feed_finds(s, v_finds, v_to, p_limit, v_listed);
      if cardinality(v_finds) > p_limit then
        v_finds := v_finds[1:p_limit];
      end if;
    end if;
    if v_finds <> '{}' then
      v_tasks := array(select distinct f.task_uuid from unnest(v_finds) as f order by 1);
      v_first := v_tasks[1];
      v_last := v_tasks[cardinality(v_tasks)];
      v_finds := tasker.complete_feed_events(v_finds, v_first, v_last);
      return query
      select e.* from tasker.describe_feed_events(s.window_no, v_finds, v_first, v_last) as e;
      exit when found;
    end if;

    if v_finds <> '{}' then
      -- The partitions of these events were dropped since the query found them. The next read reports this.
      s := tasker.place_after(s, v_finds[cardinality(v_finds)]);
      continue;
    end if;
    s := tasker.end_feed_slice(s, v_to);
    exit when (s.until is null and v_fresh) or clock_timestamp() > statement_timestamp() + interval '2 seconds';
  end loop;

  -- A read that finds no event writes the subscription only every few seconds.
  if v_finds <> '{}'
     or s.until is not null
     or v_before.until is not null
     or v_before.reader_uuid is distinct from p_reader_uuid
     or v_before.snapshot_at < s.snapshot_at - interval '5 seconds'
     or v_before.leased_until < tasker.clock() + p_lease_seconds * interval '0.5 seconds' then
    s.leased_until := tasker.write_subscription(s, p_reader_uuid, p_lease_seconds);
  end if;
end;
$$;

comment on function tasker.read_events is
$$Returns the next events of a subscription, the oldest first: at most p_limit events that were not acknowledged yet. These events are returned again until acknowledge_events acknowledges them, so each event is delivered at least once. Events of one step, and events of a task itself, come in the order of their sort_key. Events of different tasks come roughly in the order of time. No event is skipped, even if transactions do not commit in the order in which they began.

One process reads a subscription at a time: the process with p_reader_uuid, until p_lease_seconds after its last read. The later events of a window wait until the returned events are acknowledged. Locks the subscription. Raises TK404 if there is no such subscription, TK409 while another process reads the subscription or above READ COMMITTED, TK410 if events were dropped that the subscription has not delivered, TK422 for an argument out of range, TK403 if the caller is not bound to all namespaces of the subscription.$$;

grant execute on function tasker.read_events to tasker_orchestrator, tasker_operator;
