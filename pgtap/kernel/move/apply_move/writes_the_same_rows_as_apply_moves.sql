-- Tasks of random templates get the same results in the same order: one by one in namespace "one", where each call is
-- written by key, and two twins at once in namespace "two", where it is written by set. Both must leave the same rows in
-- every table.
begin;
select plan(9);

select setseed(0.42);
select tasker_test.freeze('2026-11-22 12:00:00+00');
create temporary table driven (run integer, form text, task_uuid uuid);
create temporary table tally (outcome text);

create function pg_temp.template(p_namespace text, p_name text, p_shape jsonb) returns void language sql as $$
  select from tasker.register_task_template(p_shape || jsonb_build_object('namespace', p_namespace, 'name', p_name));
$$;

-- Up to nine steps, each with up to three parents before it, some conditions, every join, some that halt, some that wait.
create function pg_temp.shape() returns jsonb language sql volatile as $$
  select jsonb_build_object(
    'identity_strategy', 'always_unique',
    'on_failure', (array['halt', 'fail', 'continue', 'continue'])[1 + floor(random() * 4)::integer],
    'steps', (
      select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'name', 's' || n,
        'join', case when n > 1 then (array['all', 'any', 'settled', 'all'])[1 + floor(random() * 4)::integer + 0 * n] end,
        'retry', case when w.waits then null else jsonb_build_object('max_attempts', 1 + floor(random() * 2)::integer + 0 * n) end,
        'await', case when w.waits then '[{"signal": "go", "when": "$.n < 8"}, {"signal": "stop"}]'::jsonb end,
        'timeout', case when w.waits then 7200 end,
        'on_timeout', case when w.waits then (array['fail', 'skip', 'complete'])[1 + floor(random() * 3)::integer + 0 * n] end,
        'dependencies', (
          select jsonb_agg(case when random() < 0.25
            then jsonb_build_object('step', 's' || p, 'when', format('$.n > %s', floor(random() * 10)))
            else to_jsonb('s' || p)
          end)
            from generate_series(1, n - 1) as p
           where random() < 2.0 / n
        )
      )) order by n)
        from generate_series(1, 4 + floor(random() * 6)::integer) as n
       cross join lateral (select random() < 0.3 and n > 0 as waits) as w
    )
  );
$$;

create function pg_temp.drive(p_run integer) returns void language plpgsql as $$
declare
  v_name  text := 'twin' || p_run;
  v_shape jsonb := pg_temp.shape();
  v_one   uuid;
  v_two   uuid[];
  v_next  record;
  v_steps uuid[];
  v_nos   integer[];
  v_roll  double precision;
  v_error text;
begin
  perform pg_temp.template('one', v_name, v_shape), pg_temp.template('two', v_name, v_shape);
  select c.task_uuid into v_one from tasker.create_task('one', v_name, '{}') as c;
  select array_agg(c.task_uuid) into v_two from tasker.create_tasks('two', v_name, array_fill('{}'::jsonb, array[2])) as c;
  insert into driven values (p_run, 'one', v_one), (p_run, 'two', v_two[1]), (p_run, 'two', v_two[2]);

  for v_turn in 1 .. 200 loop
    -- Signals come early, late, and to tasks that have ended.
    if random() < 0.15 then
      v_roll := random();
      begin
        perform tasker.send_signal(u.task_uuid, case when v_roll < 0.2 then 'stop' else 'go' end, jsonb_build_object('n', floor(v_roll * 10)))
           from unnest(v_one || v_two) as u (task_uuid);
        insert into tally values ('signal');
      exception when sqlstate 'TK409' then
        null;
      end;
    end if;
    select s.step_no, s.name
      into v_next
      from tasker.workflow_steps as s
     where s.task_uuid = v_one
       and s.state = 'enqueued'
     order by random()
     limit 1;
    if not found then
      exit when not exists (select from tasker.timers as m where m.task_uuid = v_one);
      perform tasker_test.pass('1 hour');
      perform tasker.fire_due_timers(100);
      continue;
    end if;

    v_roll := random();
    v_error := case when v_roll < 0.2 then 'no' end;
    insert into tally values (case when v_roll < 0.05 then 'permanent' when v_roll < 0.2 then 'failed' else 'done' end);
    select array_agg(c.step_uuid), array_agg(c.claim_no)
      into v_steps, v_nos
      from tasker.claim_step(tasker.step_uuid(v_one, v_next.step_no), tasker_test.worker(), 60) as c;
    perform tasker.exchange_steps(
      tasker_test.worker(), v_steps, v_nos,
      array[jsonb_build_object('n', floor(v_roll * 10))], array[v_error], array[v_roll < 0.05], array[1], array[7]::bigint[]
    );
    select array_agg(c.step_uuid), array_agg(c.claim_no)
      into v_steps, v_nos
      from tasker.claim_steps('{two}', tasker_test.worker(), 2, 60, array[v_next.name]) as c;
    if cardinality(v_steps) is distinct from 2 then
      raise exception 'run %: the twins are not where the first is', p_run;
    end if;
    perform tasker.exchange_steps(
      tasker_test.worker(), v_steps, v_nos,
      array_fill(jsonb_build_object('n', floor(v_roll * 10)), array[2]), array_fill(v_error, array[2]),
      array_fill(v_roll < 0.05, array[2]), '{1,1}', '{7,7}'
    );
  end loop;
end;
$$;

select count(pg_temp.drive(n)) from generate_series(1, 25) as n;
select is((select count(distinct t.outcome) from tally as t), 4::bigint, 'steps were done, failed, failed for good, and signalled');
select set_eq(
  $$
  select case when g.step_no is null then 'kept' else 'taken' end
    from driven as d
    join tasker.task_signals as g on g.task_uuid = d.task_uuid
  union
  select 'out of time, ' || s.state from driven as d join tasker.workflow_steps as s on s.task_uuid = d.task_uuid
   where s.await is not null and (s.state in ('error') or s.results = '{"by": "timeout"}' or s.state = 'cancelled' and exists (
     select from tasker.workflow_step_transition_log as l where l.task_uuid = s.task_uuid and l.step_no = s.step_no and l.from_state = 'suspended'))
  $$,
  array['kept', 'taken', 'out of time, error', 'out of time, complete', 'out of time, cancelled'],
  'signals were taken and kept, and waits timed out in every way'
);

-- Each row without the columns that identify its task.
create function pg_temp.differences(p_table text) returns setof text language plpgsql as $$
begin
  return query execute format($sql$
    with rows as (
      select d.run, d.form, d.task_uuid,
             replace(
               (
                 to_jsonb(r) - '{task_uuid,named_task_uuid,named_step_uuid,workflow_step_uuid,correlation_id,namespace,claim_no}'::text[]
                 -- The steps of an event, in a fixed order.
                 || case when to_jsonb(r) #> '{metadata,step_nos}' is null then '{}' else jsonb_build_object('metadata',
                   (to_jsonb(r) -> 'metadata') || jsonb_build_object('step_nos', (
                     select jsonb_agg(e order by e) from jsonb_array_elements(to_jsonb(r) #> '{metadata,step_nos}') as e
                   ))
                 ) end
               )::text,
               left(d.task_uuid::text, 32), 'task'
             ) as row
        from driven as d join tasker.%I as r on r.task_uuid = d.task_uuid
    )
    (select o.run || ' ' || o.row from rows as o where o.form = 'one'
     except select t.run || ' ' || t.row from rows as t where t.form = 'two')
    union all
    (select t.run || ' ' || t.row from rows as t where t.form = 'two'
     except select o.run || ' ' || o.row from rows as o where o.form = 'one')
  $sql$, p_table);
end;
$$;
select is_empty($$ select * from pg_temp.differences('tasks') $$, 'both forms leave the same tasks');
select is_empty($$ select * from pg_temp.differences('workflow_steps') $$, 'both forms leave the same steps');
select is_empty($$ select * from pg_temp.differences('task_transition_log') $$, 'both forms leave the same task log');
select is_empty($$ select * from pg_temp.differences('workflow_step_transition_log') $$, 'both forms leave the same step log');
select is_empty(
  $$ select * from pg_temp.differences('step_queue') union all select * from pg_temp.differences('timers')
     union all select * from pg_temp.differences('waiting_tasks') union all select * from pg_temp.differences('waits') $$,
  'both forms leave the same queue, timers, waiting tasks and waits'
);
select is_empty($$ select * from pg_temp.differences('task_signals') $$, 'both forms leave the same signals, taken by the same steps');
select is_empty($$ select tasker_test.violations(d.task_uuid) from driven as d $$, 'every invariant holds');

select * from finish();
rollback;
