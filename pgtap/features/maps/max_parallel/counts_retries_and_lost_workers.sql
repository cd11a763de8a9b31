begin;
select plan(4);

select tasker_test.freeze();
select tasker.set_setting('max_lost', '1000');
select tasker_test.create_waiting(
  'order', '[{"name": "each", "for_each": "$.lines", "max_parallel": 3, "retry": {"max_attempts": 3, "base_seconds": 1}}, {"name": "after", "dependencies": ["each"]}]',
  p_context => '{"lines": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]}'
);
select tasker_test.expand();

-- In each turn a worker claims what there is; of its steps one completes, one fails, and the worker is lost with the rest.
create function pg_temp.turn(p_turn integer) returns bigint language plpgsql as $$
declare
  v_steps uuid[];
  v_nos   integer[];
begin
  select array_agg(c.step_uuid order by c.step_no), array_agg(c.claim_no order by c.step_no)
    into v_steps, v_nos
    from tasker.claim_steps('{test}', tasker_test.worker(p_turn), 10, 60) as c
   where c.name like 'each[%';
  if p_turn % 2 = 0 and cardinality(v_steps) > 1 then
    perform tasker.fail_steps(v_steps[2:2], v_nos[2:2], array['no']);
  end if;
  if v_steps is not null then
    perform tasker.complete_steps(v_steps[1:1], v_nos[1:1], array['{}'::jsonb]);
  end if;
  perform tasker_test.pass('2 minutes');
  perform tasker_test.expand();
  return (
    select count(*)
      from tasker.workflow_steps as s
     where s.task_uuid = tasker_test.the_task()
       and s.map_no is not null
       and s.state not in ('complete', 'resolved_manually', 'cancelled')
  );
end;
$$;

select ok(max(pg_temp.turn(n)) <= 3, 'at most three instances have started and are not settled') from generate_series(1, 60) as n;
select ok(max(s.lost_count) > 0 and max(s.attempts) > 1, 'workers were lost, and attempts failed')
  from tasker.workflow_steps as s
 where s.task_uuid = tasker_test.the_task();
select is(
  (select count(*) from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.map_no is not null), 10::bigint,
  'all ten instances have started'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
