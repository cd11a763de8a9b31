-- The templates and procedures of the measurements, for any commit of the schema: only arguments that all commits
-- have.
select from tasker.register_task_template('{"namespace": "bench", "name": "single", "identity_strategy": "always_unique", "steps": [{"name": "only"}]}');
select from tasker.register_task_template('{"namespace": "bench", "name": "diamond", "identity_strategy": "always_unique", "steps": [
  {"name": "top"},
  {"name": "a", "dependencies": ["top"]}, {"name": "b", "dependencies": ["top"]}, {"name": "c", "dependencies": ["top"]},
  {"name": "d", "dependencies": ["top"]}, {"name": "e", "dependencies": ["top"]},
  {"name": "bottom", "dependencies": ["a", "b", "c", "d", "e"]}]}');
select from tasker.register_task_template('{"namespace": "bench", "name": "chain", "identity_strategy": "always_unique", "steps": [
  {"name": "one"}, {"name": "two", "dependencies": ["one"]}, {"name": "three", "dependencies": ["two"]},
  {"name": "four", "dependencies": ["three"]}, {"name": "five", "dependencies": ["four"]}]}');
-- At some commits no step waits for a signal.
do $$
begin
  perform from tasker.register_task_template('{"namespace": "bench", "name": "waiting", "identity_strategy": "always_unique", "steps": [
    {"name": "approve", "await": [{"signal": "approved"}]}, {"name": "ship", "dependencies": ["approve"]}]}');
exception
  when others then
    raise log 'no row for signals: %', sqlerrm;
end;
$$;

create schema driver;

-- Callgrind begins another dump where the server enters pg_sleep.
create procedure driver.mark()
  language plpgsql
as $$
begin
  perform pg_sleep(0);
end;
$$;

create procedure driver.fill(p_template text, p_n integer)
  language plpgsql
as $$
begin
  -- Other rows are measured without a limit in the database, since each limit adds to the reads of a claim.
  if p_template = 'limited' then
    perform from tasker.register_task_template('{"namespace": "bench", "name": "limited", "identity_strategy": "always_unique",
      "steps": [{"name": "counted", "limit": "open"}]}');
    perform from tasker.set_limit('bench', 'open', 1000000);
  end if;
  for i in 1 .. ceil(p_n / 100.0) loop
    perform from tasker.create_tasks('bench', p_template, array_fill('{"order": 4711}'::jsonb, array[least(100, p_n - (i - 1) * 100)]));
    commit;
  end loop;
end;
$$;

create procedure driver.create(p_template text, p_warm integer, p_n integer)
  language plpgsql
as $$
begin
  for i in 1 .. p_warm + p_n loop
    if i = p_warm + 1 then
      call driver.mark();
    end if;
    perform from tasker.create_task('bench', p_template, '{"order": 4711}');
    commit;
  end loop;
  call driver.mark();
  raise log 'units: %', p_n;
end;
$$;

create procedure driver.create_many(p_template text, p_batch integer, p_warm integer, p_n integer)
  language plpgsql
as $$
begin
  for i in 1 .. p_warm + p_n loop
    if i = p_warm + 1 then
      call driver.mark();
    end if;
    perform from tasker.create_tasks('bench', p_template, array_fill('{"order": 4711}'::jsonb, array[p_batch]));
    commit;
  end loop;
  call driver.mark();
  raise log 'units: %', p_n * p_batch;
end;
$$;

create procedure driver.poll(p_warm integer, p_n integer)
  language plpgsql
as $$
begin
  for i in 1 .. p_warm + p_n loop
    if i = p_warm + 1 then
      call driver.mark();
    end if;
    perform from tasker.exchange_steps(
      '00000000-0000-4000-8000-000000000001', p_namespaces => '{bench}', p_limit => 1, p_request_uuid => gen_random_uuid()
    );
    commit;
  end loop;
  call driver.mark();
  raise log 'units: %', p_n;
end;
$$;

-- Each call hands in the results of the steps that the call before it has claimed.
create procedure driver.exchange(p_batch integer, p_warm integer, p_n integer)
  language plpgsql
as $$
declare
  v_steps  uuid[] := '{}';
  v_claims integer[] := '{}';
  v_count  integer;
  v_done   integer;
  v_units  integer := 0;
begin
  for i in 1 .. p_warm + p_n loop
    if i = p_warm + 1 then
      call driver.mark();
    end if;
    v_count := cardinality(v_steps);
    select array_agg(e.step_uuid) filter (where e.answer is null), array_agg(e.claim_no) filter (where e.answer is null),
           count(*) filter (where e.answer = 'completed')
      into v_steps, v_claims, v_done
      from tasker.exchange_steps(
        '00000000-0000-4000-8000-000000000001', v_steps, v_claims, array_fill('{"ok": true}'::jsonb, array[v_count]),
        p_execution_times_ms => array_fill(7::bigint, array[v_count]),
        p_namespaces => '{bench}', p_limit => p_batch, p_request_uuid => gen_random_uuid()
      ) as e;
    commit;
    if i > p_warm then
      v_units := v_units + v_done;
    end if;
  end loop;
  call driver.mark();
  if v_units <> p_n * p_batch then
    raise exception '% steps instead of %', v_units, p_n * p_batch;
  end if;
  raise log 'units: %', v_units;
end;
$$;

-- One transaction creates a task and claims its first step. Each further transaction records a result and claims the next
-- step.
create procedure driver.start(p_template text, p_warm integer, p_n integer)
  language plpgsql
as $$
declare
  v_step  uuid;
  v_claim integer;
begin
  for i in 1 .. p_warm + p_n loop
    if i = p_warm + 1 then
      call driver.mark();
    end if;
    select s.step_uuid, s.claim_no
      into strict v_step, v_claim
      from tasker.start_task('bench', p_template, '00000000-0000-4000-8000-000000000001', '{"order": 4711}', p_limit => 1) as s;
    commit;
    for j in 2 .. case p_template when 'chain' then 5 else 1 end loop
      select e.step_uuid, e.claim_no
        into strict v_step, v_claim
        from tasker.exchange_steps(
          '00000000-0000-4000-8000-000000000001', array[v_step], array[v_claim], array['{"ok": true}'::jsonb],
          p_execution_times_ms => '{7}', p_namespaces => '{bench}', p_limit => 1, p_request_uuid => gen_random_uuid()
        ) as e
       where e.answer is null;
      commit;
    end loop;
    perform from tasker.complete_steps(array[v_step], array[v_claim], array['{"ok": true}'::jsonb], '{7}');
    commit;
  end loop;
  call driver.mark();
  raise log 'units: %', p_n;
end;
$$;

-- Each transaction emits so many events, in one statement.
create procedure driver.emit(p_batch integer, p_warm integer, p_n integer)
  language plpgsql
as $$
begin
  for i in 1 .. p_warm + p_n loop
    if i = p_warm + 1 then
      call driver.mark();
    end if;
    perform from generate_series(1, p_batch) as n cross join lateral tasker.emit_event('bench', 'paid', n::text, '{"order": 4711}');
    commit;
  end loop;
  call driver.mark();
  raise log 'units: %', p_n * p_batch;
end;
$$;

-- Each transaction emits so many events in one call, or in one statement at a commit without emit_events.
create procedure driver.emit_many(p_batch integer, p_warm integer, p_n integer)
  language plpgsql
as $$
begin
  for i in 1 .. p_warm + p_n loop
    if i = p_warm + 1 then
      call driver.mark();
    end if;
    if to_regproc('tasker.emit_events') is null then
      perform from generate_series(1, p_batch) as n cross join lateral tasker.emit_event('bench', 'paid', n::text, '{"order": 4711}');
    else
      perform from tasker.emit_events(
        'bench', array_fill('paid'::text, array[p_batch]), array(select n::text from generate_series(1, p_batch) as n),
        array_fill('{"order": 4711}'::jsonb, array[p_batch])
      );
    end if;
    commit;
  end loop;
  call driver.mark();
  raise log 'units: %', p_n * p_batch;
end;
$$;

-- Each transaction sends a signal to so many tasks whose first step waits for it, in one statement.
create procedure driver.signal(p_batch integer, p_warm integer, p_n integer)
  language plpgsql
as $$
declare
  v_tasks uuid[] := array(select t.task_uuid from tasker.tasks as t order by t.task_uuid);
begin
  for i in 1 .. p_warm + p_n loop
    if i = p_warm + 1 then
      call driver.mark();
    end if;
    perform from unnest(v_tasks[(i - 1) * p_batch + 1:i * p_batch]) as t (task_uuid)
     cross join lateral tasker.send_signal(t.task_uuid, 'approved', '{"ok": true}');
    commit;
  end loop;
  call driver.mark();
  if (select count(*) from tasker.task_signals as g where g.step_no is not null) <> (p_warm + p_n) * p_batch then
    raise exception 'a signal was not delivered';
  end if;
  raise log 'units: %', p_n * p_batch;
end;
$$;

-- The tasks of a template are cancelled, and then the data of each is erased.
create procedure driver.erase(p_template text, p_warm integer, p_n integer)
  language plpgsql
as $$
declare
  v_tasks uuid[] := '{}';
begin
  for i in 1 .. p_warm + p_n loop
    v_tasks := v_tasks || (select c.task_uuid from tasker.create_task('bench', p_template, '{"order": 4711}') as c);
    perform tasker.cancel_task(v_tasks[i], 'bench');
    commit;
  end loop;
  for i in 1 .. p_warm + p_n loop
    if i = p_warm + 1 then
      call driver.mark();
    end if;
    perform from tasker.erase_task(v_tasks[i], 'bench');
    commit;
  end loop;
  call driver.mark();
  raise log 'units: %', p_n;
end;
$$;
