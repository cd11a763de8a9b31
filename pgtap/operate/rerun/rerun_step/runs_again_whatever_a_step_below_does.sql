-- A step in every state depends on one that is complete: each is to run again, and a claim of it is stale.
begin;
select plan(9);

select tasker_test.freeze();
select tasker_test.make_task_with_steps_in_every_state();
insert into tasker.added_step_edges (task_uuid, from_step_no, to_step_no)
select s.task_uuid, tasker.step_no_of(tasker_test.the_step('complete')), s.step_no
  from tasker.workflow_steps as s
 where s.task_uuid = tasker_test.the_task()
   and s.name not in ('complete', 'after_complete');
update tasker.tasks as t set has_added_edges = true where t.task_uuid = tasker_test.the_task();
update tasker.workflow_steps as s
   set total_parents = s.total_parents + 1, satisfied_parents = s.satisfied_parents + 1
 where s.task_uuid = tasker_test.the_task()
   and s.name not in ('complete', 'after_complete');
select is_empty('select tasker_test.violations()', 'every invariant holds before');
create temporary table before as
  select s.name, s.state, s.claim_no from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task();

select ok(tasker.rerun_step(tasker_test.the_step('complete'), 'wrong', 'ann'), 'rerun_step returns true');
select is_empty(
  $$
  select s.name, s.state
    from tasker.workflow_steps as s
   where s.task_uuid = tasker_test.the_task()
     and (s.name not in ('complete') and s.name not like 'after%' and (s.state, s.pending_parents) is distinct from ('pending'::tasker.step_state, 1) or s.attempts + s.lost_count > 0 or s.results is not null)
  $$,
  'each step below waits for it, with all attempts and without a result'
);
select is_empty(
  $$ select * from tasker.step_queue as q where q.task_uuid = tasker_test.the_task() and q.step_no is distinct from tasker.step_no_of(tasker_test.the_step('complete')) $$,
  'none of them is in the queue'
);
select is_empty(
  $$
  select b.name
    from before as b
   where b.state not in ('pending')
     and not exists (
       select
         from tasker.workflow_step_transition_log as l
        where l.task_uuid = tasker_test.the_task()
          and l.step_no = tasker.step_no_of(tasker_test.the_step(b.name))
          and (l.from_state, l.event, l.to_state) = (b.state, 'Rerun', 'pending')
     )
  $$,
  'the log of each has the transition'
);
select is(
  (select a.answer from tasker.complete_steps(
    array[tasker_test.the_step('in_progress')], (select array[b.claim_no] from before as b where b.name = 'in_progress'), '{"{}"}'
  ) as a),
  'stale', 'the result of the step that was in progress is stale'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty(
  $$ select p.object, p.problem from tasker.check_integrity() as p where p.problem not like 'was claimed by%' $$, 'check_integrity finds nothing'
);
select ok(tasker.cancel_task(tasker_test.the_task()), 'the task can be cancelled');

select * from finish();
rollback;
