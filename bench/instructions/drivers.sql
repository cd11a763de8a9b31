-- The templates and procedures of the measurements. They must work at any commit of the schema, so they use only arguments that
-- all commits have.
select from tasker.register_task_template('{"namespace": "bench", "name": "single", "identity_strategy": "always_unique", "steps": [{"name": "only"}]}');
select from tasker.register_task_template('{"namespace": "bench", "name": "diamond", "identity_strategy": "always_unique", "steps": [
  {"name": "top"},
  {"name": "a", "dependencies": ["top"]}, {"name": "b", "dependencies": ["top"]}, {"name": "c", "dependencies": ["top"]},
  {"name": "d", "dependencies": ["top"]}, {"name": "e", "dependencies": ["top"]},
  {"name": "bottom", "dependencies": ["a", "b", "c", "d", "e"]}]}');
select from tasker.register_task_template('{"namespace": "bench", "name": "chain", "identity_strategy": "always_unique", "steps": [
  {"name": "one"}, {"name": "two", "dependencies": ["one"]}, {"name": "three", "dependencies": ["two"]},
  {"name": "four", "dependencies": ["three"]}, {"name": "five", "dependencies": ["four"]}]}');
-- At some commits a step cannot wait for a signal, and a template cannot have attributes.
do $$
begin
  perform from tasker.register_task_template('{"namespace": "bench", "name": "attributed", "identity_strategy": "always_unique",
    "attributes": {"order": {"type": "number", "context": "$.order"}, "said": "$.order"}, "steps": [{"name": "only"}]}');
  perform from tasker.register_task_template('{"namespace": "bench", "name": "waiting", "identity_strategy": "always_unique", "steps": [
    {"name": "approve", "await": [{"signal": "approved"}]}, {"name": "ship", "dependencies": ["approve"]}]}');
exception
  when others then
    raise log 'no row for signals or attributes: %', sqlerrm;
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

-- Registers a template, unless the commit does not support it.
create procedure driver.register(p_template text)
  language plpgsql
as $$
begin
  if p_template in ('keyed', 'apart') then
    perform from tasker.register_task_template(jsonb_build_object(
      'namespace', 'bench', 'name', p_template, 'identity_strategy', 'always_unique', 'steps', '[{"name": "only"}]'::jsonb,
      'runs', case p_template when 'keyed' then '{}' else '{"key": "$.key"}' end::jsonb
    ));
  elsif p_template in ('elements', 'children') then
    perform from tasker.register_task_template(jsonb_build_object(
      'namespace', 'bench', 'name', p_template, 'identity_strategy', 'always_unique',
      'steps', jsonb_build_array('{"name": "each", "for_each": "$.lines"}'::jsonb || case p_template when 'children' then '{"task": {"name": "single"}}' else '{}' end::jsonb)
    ));
  end if;
end;
$$;

-- Each task of the template "apart" has a key of its own.
create function driver.context(p_template text, p_no integer)
  returns jsonb
  language sql
as $$
  select case p_template when 'apart' then jsonb_build_object('order', 4711, 'key', p_no) else '{"order": 4711}' end;
$$;

create procedure driver.fill(p_template text, p_n integer)
  language plpgsql
as $$
begin
  call driver.register(p_template);
  -- Other rows are measured without a limit in the database, since each limit adds to the reads of a claim.
  if p_template = 'limited' then
    perform from tasker.register_task_template('{"namespace": "bench", "name": "limited", "identity_strategy": "always_unique",
      "steps": [{"name": "counted", "limit": "open"}]}');
    perform from tasker.set_limit('bench', 'open', 1000000);
  end if;
  for i in 1 .. ceil(p_n / 100.0) loop
    perform from tasker.create_tasks('bench', p_template, array(
      select driver.context(p_template, k) from generate_series(1 + (i - 1) * 100, least(i * 100, p_n)) as k
    ));
    commit;
  end loop;
end;
$$;

create procedure driver.create(p_template text, p_warm integer, p_n integer)
  language plpgsql
as $$
declare
  v_contexts jsonb[];
begin
  call driver.register(p_template);
  v_contexts := array(select driver.context(p_template, k) from generate_series(1, p_warm + p_n) as k);
  commit;
  for i in 1 .. p_warm + p_n loop
    if i = p_warm + 1 then
      call driver.mark();
    end if;
    perform from tasker.create_task('bench', p_template, v_contexts[i]);
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

-- Each call hands in the results of the steps that the preceding call claimed.
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

-- Each transaction emits p_batch events in one statement.
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

-- Each transaction emits p_batch events in one call, or in one statement at a commit without emit_events.
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

-- Each transaction sends, in one statement, a signal to p_batch tasks whose first step waits for the signal.
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

-- Cancels the tasks of a template, and then erases the data of each task.
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

-- Each transaction appends p_batch lines to the stream of one running step, sets a value of the stream, or reads the stream.
create procedure driver.stream(p_kind text, p_batch integer, p_warm integer, p_n integer)
  language plpgsql
as $$
declare
  v_lines jsonb := (select jsonb_agg(jsonb_build_object('level', 'INFO', 'msg', 'charged the card of a customer', 'line', g)) from generate_series(1, p_batch) as g);
  v_task  uuid;
  v_step  uuid;
  v_claim integer;
begin
  select s.task_uuid, s.step_uuid, s.claim_no
    into strict v_task, v_step, v_claim
    from tasker.start_task('bench', 'single', '00000000-0000-4000-8000-000000000001', '{"order": 4711}', p_limit => 1) as s;
  perform tasker.append_items(v_step, v_claim, 'lines', v_lines, 1);
  commit;
  for i in 1 .. p_warm + p_n loop
    if i = p_warm + 1 then
      call driver.mark();
    end if;
    case p_kind
      when 'append' then perform tasker.append_items(v_step, v_claim, 'lines', v_lines, i + 1);
      when 'value' then perform tasker.set_value(v_step, v_claim, 'progress', jsonb_build_object('done', i / 1000.0));
      when 'read' then perform from tasker.read_stream(v_step, 'lines', 0, p_batch);
      when 'poll' then perform from tasker.read_stream(v_step, 'lines', 1000000);
      when 'progress' then perform from tasker.list_progress(array[v_task]);
    end case;
    commit;
  end loop;
  call driver.mark();
  raise log 'units: %', p_n * p_batch;
end;
$$;

-- Two tasks with a map run from creation to end, one after the other, in exchanges of p_batch. The second task is measured.
create procedure driver.map(p_template text, p_batch integer, p_n integer)
  language plpgsql
as $$
declare
  v_task   uuid;
  v_steps  uuid[] := '{}';
  v_claims integer[] := '{}';
begin
  call driver.register(p_template);
  commit;
  for i in 1 .. 2 loop
    if i = 2 then
      call driver.mark();
    end if;
    select c.task_uuid into v_task
      from tasker.create_task('bench', p_template, jsonb_build_object('lines', array(select jsonb_build_object('line', k) from generate_series(1, p_n) as k))) as c;
    commit;
    for j in 1 .. p_n * 10 loop
      exit when (select t.complete from tasker.tasks as t where t.task_uuid = v_task);
      select coalesce(array_agg(e.step_uuid) filter (where e.answer is null), '{}'), coalesce(array_agg(e.claim_no) filter (where e.answer is null), '{}')
        into v_steps, v_claims
        from tasker.exchange_steps(
          '00000000-0000-4000-8000-000000000001', v_steps, v_claims, array_fill('{"ok": true}'::jsonb, array[cardinality(v_steps)]),
          p_execution_times_ms => array_fill(7::bigint, array[cardinality(v_steps)]),
          p_namespaces => '{bench}', p_limit => p_batch, p_request_uuid => gen_random_uuid()
        ) as e;
      commit;
    end loop;
  end loop;
  call driver.mark();
  if (select count(*) from tasker.tasks as t where t.state <> 'complete') > 0 then
    raise exception 'a task is not complete';
  end if;
  raise log 'units: %', p_n;
end;
$$;
