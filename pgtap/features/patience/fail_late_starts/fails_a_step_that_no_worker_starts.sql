begin;
select plan(19);
select tasker_test.freeze();

create function pg_temp.make() returns void language sql as $$
  select from tasker_test.create_waiting('impatient', '[
    {"name": "quote", "start_within": "30s"}, {"name": "ship", "dependencies": ["quote"]},
    {"name": "apologise", "dependencies": [{"step": "quote", "on": "failed"}]}
  ]');
$$;
create function pg_temp.later(p_time interval) returns text language sql as $$
  select tasker_test.pass(p_time);
  select tasker.fire_due_timers();
  select tasker_test.all_states();
$$;
select pg_temp.make();
select is((select t.template #>> '{steps,0,start_within}' from tasker.get_task_template('test', 'impatient', '0.1.0') as t), '30', 'the template has it in seconds');
select results_eq(
  $$ select m.kind::text, m.due_at from tasker.timers as m where m.task_uuid = tasker_test.the_task() $$,
  $$ values ('start_within', tasker.clock() + interval '30 seconds') $$, 'the creation bounds the first step'
);
select alike(
  (select e.summary from tasker.explain_step(tasker_test.the_step('quote')) as e), '%It fails if no worker has started it by %.',
  'the explanation says until when'
);
select is(pg_temp.later('29 seconds'), 'steps_in_process: quote enqueued, ship pending, apologise pending', 'it waits for a worker');
select is(pg_temp.later('1 second'), 'steps_in_process: quote cancelled, ship cancelled, apologise enqueued', 'it fails when its time is over, and its failure branch runs');
select results_eq(
  $$ select s.last_error, s.attempts from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('quote') $$,
  $$ values ('no worker has started it within 30 seconds', 0) $$, 'the error says so, and no attempt was made'
);
select is_empty($$ select from tasker.timers as m where m.task_uuid = tasker_test.the_task() $$, 'no timer is left');
select is_empty('select tasker_test.violations()', 'every invariant holds');

-- A worker that starts it in time has all the time that it needs. A retry begins the time again.
select pg_temp.make();
select tasker_test.pass('20 seconds');
select tasker_test.claim(variadic '{quote}'::text[]);
select is(pg_temp.later('15 seconds'), 'steps_in_process: quote in_progress, ship pending, apologise pending', 'a step in progress is not late');
select tasker_test.fail('quote');
select tasker_test.pass('1 hour');
select is(pg_temp.later('1 second'), 'steps_in_process: quote enqueued, ship pending, apologise pending', 'a retry enqueues it again');
select is(pg_temp.later('29 seconds'), 'steps_in_process: quote enqueued, ship pending, apologise pending', 'it may wait for 30 seconds again');

-- A step that its worker hands back may wait as long again. Its timer followed its lease.
select tasker_test.claim(variadic '{quote}'::text[]);
select pg_temp.later('20 seconds');
select tasker.release_steps(array[tasker_test.the_step('quote')], array[tasker_test.claim_no('quote')]);
select is(pg_temp.later('29 seconds'), 'steps_in_process: quote enqueued, ship pending, apologise pending', 'it waits after a release');
select is(pg_temp.later('2 minutes'), 'steps_in_process: quote cancelled, ship cancelled, apologise enqueued', 'and fails if no worker takes it');

-- Each element of a map has the bound.
select tasker_test.create_waiting('fan', '[{"name": "each", "for_each": "$.list", "start_within": 10, "allow_failures": 2}]', p_context => '{"list": [1, 2]}');
select tasker.fire_due_timers();
select pg_temp.later('11 seconds');
select results_eq(
  $$ select s.state::text, s.last_error from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.map_no = 1 order by s.step_no $$,
  $$ select 'cancelled', 'no worker has started it within 10 seconds' from generate_series(1, 2) $$, 'the elements fail'
);
select tasker.fire_due_timers();
select is((select t.state::text from tasker.tasks as t where t.task_uuid = tasker_test.the_task()), 'complete', 'their map allows it');

select is((select k.effects from tasker.named_tasks_named_steps as k where k.step_name = 'ship'), 0::smallint, 'other steps of the template pass no door');
select results_eq(
  $$ select p.path, p.problem from tasker.validate_task_template('{"namespace": "test", "name": "wrong", "steps": [
       {"name": "a", "await": {"for": "3d"}, "start_within": 5}, {"name": "b", "task": {"name": "c"}, "start_within": 5}]}') as p $$,
  $$ values ('steps[0].start_within', 'has no meaning for a step that waits'),
            ('steps[1].start_within', 'has no meaning for a step that starts a task') $$, 'steps without a worker have no bound'
);
select results_eq(
  $$ select p.path from tasker.validate_task_template('{"namespace": "test", "name": "wrong", "steps": [{"name": "a", "start_within": "soon"}]}') as p $$,
  $$ values ('steps[0].start_within') $$, 'it is a duration'
);
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
