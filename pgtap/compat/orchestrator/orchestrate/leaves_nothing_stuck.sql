-- A task in every state with steps in every state that direct calls can bring about: after an orchestrator
-- and workers have been by often enough, every one has ended or shows a failure.
begin;
select plan(3);

select tasker_test.freeze();
create temporary table made as
  select s.state::text as state, tasker_test.make_task_in(s.state::text) as task
    from tasker.task_states as s;
insert into made select 'steps in every state', tasker_test.make_task_with_steps_in_every_state();

create function pg_temp.look() returns setof text language sql as $$
  select m.state || ': ' || v from made as m cross join tasker_test.violations(m.task) as v;
$$;
create temporary table seen (violation text);
do $$
declare
  v_claimed integer;
begin
  for i in 1 .. 20 loop
    perform tasker.orchestrate();
    insert into seen select * from pg_temp.look();
    perform a.answer::text
       from (
         select array_agg(c.step_uuid) as steps, array_agg(c.claim_no) as claims
           from tasker.claim_steps('{test}', '00000000-0000-0000-0000-0000000000c1', 100) as c
       ) as x
      cross join tasker.complete_steps(coalesce(x.steps, '{}'), coalesce(x.claims, '{}')) as a;
    insert into seen select * from pg_temp.look();
    perform tasker_test.pass('2 hours');
  end loop;
end;
$$;
select is_empty('select * from seen', 'every invariant holds after each call');
select is_empty(
  $$
  select m.state, t.state
    from made as m
   cross join lateral tasker.get_task(m.task) as t
   where not t.complete
     and t.failed_steps = 0
  $$,
  'every task that can complete has completed'
);
select results_eq(
  $$ select m.state, t.state::text from made as m cross join lateral tasker.get_task(m.task) as t where t.state <> 'complete' order by m.state $$,
  $$
  values
    ('blocked_by_failures',  'blocked_by_failures'),
    ('cancelled',            'cancelled'),
    ('error',                'error'),
    ('resolved_manually',    'resolved_manually'),
    ('steps in every state', 'waiting_for_dependencies')
  $$,
  'failed tasks wait for an operator, suspended ones for their end, and all others are complete'
);

select * from finish();
rollback;
