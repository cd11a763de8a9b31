begin;
select plan(22);

select tasker_test.freeze();
select tasker_test.create_task();
create function pg_temp.refused(p_actor text, p_message text) returns text language sql as $$
  select throws_ok(format('select tasker.cancel_task(tasker_test.the_task(), p_actor => %L)', p_actor), 'TK422', p_message, to_json(p_actor) || ' is refused');
$$;
select pg_temp.refused(E'ann\n2026-01-01 task reset by root', 'the actor has a line break or another control character');
select pg_temp.refused(E'ann\rroot', 'the actor has a line break or another control character');
select pg_temp.refused(E'ann\t', 'the actor has a line break or another control character');
select pg_temp.refused(E'ann\u0085root', 'the actor has a line break or another control character');
select pg_temp.refused(E'ann\u2028root', 'the actor has a line break or another control character');
select pg_temp.refused(E'\u001b[31mann', 'the actor has a line break or another control character');
select pg_temp.refused('token ann', 'the actor cannot be "token ann"');
select pg_temp.refused('Token ann', 'the actor cannot be "Token ann"');
select pg_temp.refused('ann, token ops', 'the actor cannot be "ann, token ops"');
select pg_temp.refused(' token ops', 'the actor cannot be " token ops"');
select pg_temp.refused('schedule nightly', 'the actor cannot be "schedule nightly"');
select pg_temp.refused('task 01980000-0000-7000-8000-000000000000', 'the actor cannot be "task 01980000-0000-7000-8000-000000000000"');

select throws_ok(
  $$ select tasker.create_task('test', 'diamond', '{}', p_initiator => 'schedule nightly') $$, 'TK422', 'the initiator cannot be "schedule nightly"', 'an initiator is a given name, too'
);
select throws_ok(
  $$ select tasker.create_tasks('test', 'diamond', array['{}']::jsonb[], p_initiator => E'a\nb') $$,
  'TK422', 'the initiator has a line break or another control character', 'of many tasks as well'
);
select throws_ok(
  $$ select tasker.create_task('test', 'diamond', '{}', p_initiator => 'token x', p_identity_key => 'k', p_debounce_seconds => 5) $$,
  'TK422', 'the initiator cannot be "token x"', 'and of debounced ones'
);
select throws_ok(
  $$ select tasker.register_worker(gen_random_uuid(), E'w\n2026-01-01') $$,
  'TK422', 'the name of a worker has a line break or another control character', 'the name of a worker stands in histories, too'
);
select throws_ok(
  $$ select tasker.pause_namespace('test', 'token x') $$, 'TK422', 'the actor cannot be "token x"', 'administration has given names, too'
);
select throws_ok(
  $$ select tasker.set_limit('test', 'x', 1, p_actor => repeat('a', 201)) $$, 'TK413', 'the actor is longer than 200 characters', 'a long name is refused as before'
);
select lives_ok(
  $$ select tasker.cancel_task(tasker_test.the_task(), p_actor => 'Ann Tokenfield, task force 7') $$, 'other names are accepted'
);
select is(tasker.actor_name('Ann'), 'Ann', 'a given name is the actor');

-- Those that the engine gives.
select from tasker.set_schedule('test', 'nightly', 'diamond', p_every_seconds => 60);
select tasker_test.pass('2 minutes');
select tasker.fire_due_timers();
select is(
  (select t.initiator from tasker.tasks as t where t.headers ? 'schedule' limit 1), 'schedule nightly', 'a schedule''s tasks have the name of the schedule'
);
select is_empty(
  $$
  select p.proname
    from pg_proc as p
   where p.pronamespace = 'tasker'::regnamespace
     and p.prosecdef
     and p.proargnames && '{p_actor}'
     and (p.prosrc ~ 'check_given_name\(''actor''|check_reset_tasks') is not true
     -- Another function checks it.
     and p.proname not in ('complete_step_by_name')
  $$,
  'each public function with an actor checks the name'
);

select * from finish();
rollback;
