begin;
select plan(12);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "test", "name": "index", "identity_strategy": "caller_provided", "steps": [{"name": "a"}]}');
create function pg_temp.request(p_n integer, p_key text default 'ada') returns uuid language sql as $$
  select c.task_uuid from tasker.create_task(
    'test', 'index', jsonb_build_object('n', p_n), p_identity_key => p_key, p_initiator => 'request ' || p_n,
    p_debounce_seconds => 30, p_debounce_longest_seconds => 60) as c;
$$;
prepare tasks as
  select t.context ->> 'n', t.state::text, m.due_at - tasker.clock()
    from tasker.tasks as t left join tasker.timers as m on m.task_uuid = t.task_uuid order by 1;

select pg_temp.request(1);
select results_eq('tasks', $$ values ('1', 'pending', interval '30 seconds') $$, 'the task waits for its start');
select tasker_test.pass('20 seconds');
select pg_temp.request(2);
select results_eq('tasks', $$ values ('1', 'cancelled', null), ('2', 'pending', interval '30 seconds') $$, 'the next request replaces the task, and waits as long');
select results_eq(
  $$ select l.event, l.reason, l.actor from tasker.tasks as t join tasker.task_transition_log as l on l.task_uuid = t.task_uuid where t.context ->> 'n' = '1' $$,
  $$ values ('Cancel', 'a later request of the same key has replaced it', 'request 2') $$, 'the log says that the first task was replaced'
);
select tasker_test.pass('20 seconds');
select pg_temp.request(3);
select results_eq($$ select m.due_at - tasker.clock() from tasker.timers as m $$, $$ values (interval '20 seconds') $$, 'the longest wait counts from the first request');
select pg_temp.request(9, 'bob');
select is((select count(*) from tasker.tasks as t where t.state = 'pending'), 2::bigint, 'a request of another key creates another task');
select tasker_test.pass('20 seconds');
select tasker.fire_due_timers();
select is((select t.state::text from tasker.tasks as t where t.context ->> 'n' = '3'), 'steps_in_process', 'the task starts');
select is((select t.initiator from tasker.tasks as t where t.context ->> 'n' = '3'), 'request 3', 'the task has the arguments of the last request');
select pg_temp.request(4);
select results_eq(
  $$ select t.state::text, m.due_at - tasker.clock() from tasker.tasks as t join tasker.timers as m on m.task_uuid = t.task_uuid where t.context ->> 'n' = '4' $$,
  $$ values ('pending', interval '30 seconds') $$, 'a request after the start creates a new task, which waits again'
);
select is((select t.state::text from tasker.tasks as t where t.context ->> 'n' = '3'), 'steps_in_process', 'the running task continues');
select is_empty('select v from tasker.tasks as t cross join lateral tasker_test.violations(t.task_uuid) as v', 'every invariant holds');

select tasker_test.pass('2 minutes');
select tasker.fire_due_timers();
select tasker.run_maintenance('identities');
select is_empty('select from tasker.task_debounces', 'no debounce of a started task is left');
select pg_temp.request(5);
select results_eq(
  $$ select t.state::text, m.due_at - tasker.clock() from tasker.tasks as t join tasker.timers as m on m.task_uuid = t.task_uuid where t.context ->> 'n' = '5' $$,
  $$ values ('pending', interval '30 seconds') $$, 'a new request is the first one of its key'
);

select * from finish();
rollback;
