-- Each by its event, from a task that has come to where it is by direct calls. Afterwards the task is
-- where it was to go, the log says by which event, and every invariant holds.
begin;
select plan(37);

create function pg_temp.make_ready(p_from text, p_to text)
  returns void
  language plpgsql
as $$
begin
  if p_to = 'complete' then
    -- Only with every step done; the one for NoStepsFound has none.
    perform tasker_test.register('empty_' || p_from, variadic case p_from when 'initializing' then '{}'::text[] else '{only}' end);
    perform tasker_test.make_task('empty_' || p_from);
    perform tasker_test.move_task(tasker_test.the_task(), 'initializing');
    if p_from = 'evaluating_results' then
      perform tasker_test.move_task(tasker_test.the_task(), 'enqueuing_steps');
      perform tasker_test.move_step(tasker_test.the_step('only'), 'enqueued');
      perform tasker_test.move_task(tasker_test.the_task(), 'steps_in_process');
      perform tasker_test.complete_step(tasker_test.the_step('only'));
      perform tasker_test.move_task(tasker_test.the_task(), 'evaluating_results');
    end if;
    return;
  end if;

  perform tasker_test.make_task_in(p_from);
  -- Where the state speaks of steps, some must be in it.
  if p_to = 'steps_in_process' then
    perform tasker_test.move_step(tasker_test.the_step('top'), 'enqueued');
  elsif p_to = 'waiting_for_retry' then
    perform tasker_test.fail_step(tasker_test.the_step('top'));
    perform tasker_test.move_step(tasker_test.the_step('top'), 'waiting_for_retry');
  elsif p_to = 'blocked_by_failures' then
    perform tasker_test.move_step(tasker_test.the_step('top'), 'error');
  end if;
end;
$$;

create function pg_temp.problem(p_from text, p_event text, p_to text)
  returns text
  language plpgsql
as $$
begin
  perform pg_temp.make_ready(p_from, p_to);
  if not tasker.transition_task_state_atomic(
    tasker_test.the_task(), p_from, p_to, null, jsonb_build_object('event', p_event)
  ) then
    return 'the answer was false';
  end if;
  return (
    select string_agg(p.problem, '; ')
      from (
        select tasker_test.violations()
        union all
        select format('the log says %s, %s, %s', v.from_state, v.event, v.to_state)
          from tasker.task_transitions as v
         where v.task_uuid = tasker_test.the_task()
           and v.most_recent
           and (v.from_state::text, v.event, v.to_state::text) <> (p_from, p_event, p_to)
      ) as p (problem)
  );
end;
$$;

select is(
  pg_temp.problem(m.from_state::text, m.event, m.to_state::text), null,
  format('%s by %s to %s', m.from_state, m.event, m.to_state)
)
  from tasker.list_task_transitions() as m
 -- Only rerun_step opens a task so.
 where m.event <> 'Rerun';

select * from finish();
rollback;
