-- The clock is set back between the moves of a step and of its task. No move is dated before the previous one.
begin;
select plan(7);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_task();
select tasker_test.claim('top');
select tasker_test.pass('-1 hour');
select is(tasker_test.finish('top'), 'completed', 'a result is recorded after the clock was set back');
select tasker_test.claim('left', 'right');
select tasker_test.pass('-1 hour');
-- A single result is written by key, two results are written by set.
select is(
  (
    select string_agg(a.answer::text, ' ')
      from tasker.exchange_steps(
        tasker_test.worker(), array[tasker_test.the_step('left'), tasker_test.the_step('right')],
        array[tasker_test.claim_no('left'), tasker_test.claim_no('right')]
      ) as a
  ),
  'completed completed', 'two results in one call are recorded, too'
);
select tasker_test.pass('-1 hour');
select ok(tasker.cancel_task(tasker_test.the_task(), 'it is late'), 'an operator cancels the task');

create function pg_temp.backwards(p_log text, p_key text) returns setof text language plpgsql as $$
begin
  return query execute format(
    'select b.event from (
       select l.event, l.created_at < lag(l.created_at) over (partition by %s order by l.sort_key) as back
         from tasker.%I as l where l.task_uuid = tasker_test.the_task()
     ) as b where b.back', p_key, p_log
  );
end;
$$;
select is_empty($$ select pg_temp.backwards('workflow_step_transition_log', 'l.step_no') $$, 'the times in the log of each step never decrease');
select is_empty($$ select pg_temp.backwards('task_transition_log', 'l.task_uuid') $$, 'the times in the log of the task never decrease');
select is(
  (select min(l.created_at) from tasker.task_transition_log as l where l.task_uuid = tasker_test.the_task()),
  '2026-11-22 12:00:00+00', 'no transition is dated before the creation of the task'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
