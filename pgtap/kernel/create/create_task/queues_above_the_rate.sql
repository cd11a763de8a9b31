begin;
select plan(14);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "test", "name": "mail", "identity_strategy": "caller_provided", "steps": [{"name": "a"}]}');
create function pg_temp.request(p_n integer, p_wait boolean default true, p_start_at timestamptz default null) returns boolean language sql as $$
  select c.created from tasker.create_task(
    'test', 'mail', p_identity_key => p_n::text, p_throttle_limit => 2, p_throttle_seconds => 60, p_throttle_wait => p_wait, p_start_at => p_start_at) as c;
$$;
-- In how many seconds the tasks start that have not yet.
create function pg_temp.waits() returns integer[] language sql as $$
  select coalesce(array_agg(ceil(extract(epoch from m.due_at - tasker.clock()))::integer order by m.due_at), '{}')
    from tasker.timers as m where m.kind = 'start_task' and m.due_at > tasker.clock();
$$;
select results_eq('select pg_temp.request(n) from generate_series(1, 5) as n', array_fill(true, array[5]), 'all requests are accepted');
select is((select count(*) from tasker_test.claim(10)), 2::bigint, 'two tasks start at once');
select is(pg_temp.waits(), '{30,60,90}', 'each further task waits half a minute longer');
select is(pg_temp.request(5), false, 'a repeat finds its task, and takes no turn');
select throws_ok('select pg_temp.request(6, false)', 'TK429', 'too many tasks of template "test/mail"', 'a request that does not wait is refused while others do');
select is(pg_temp.waits(), '{30,60,90}', 'neither changes the queue');
select tasker_test.pass('31 seconds');
select is((select count(*) from tasker_test.claim(10)), 1::bigint, 'one task starts after half a minute');
select is(pg_temp.request(6, true, tasker.clock() + interval '1 hour'), true, 'a request with a start of its own takes a turn, too');
select is(pg_temp.waits(), '{29,59,3600}', 'and does not start before its own time');
select tasker_test.pass('3 minutes');
select from tasker_test.claim(10);
select is((select count(*) from tasker.tasks as t where t.state = 'pending'), 1::bigint, 'the rest starts in its turn');
select is(pg_temp.request(7, false), true, 'a request that does not wait is accepted when the queue is empty');
select throws_ok(
  $$ select from tasker.create_tasks('test', 'mail', array_fill('{}'::jsonb, array[3]), p_identity_keys => '{x,y,z}', p_throttle_limit => 1,
       p_throttle_seconds => 31536000, p_throttle_wait => true) $$, 'TK429', 'too many tasks of template "test/mail"', 'a queue of more than a year is refused'
);
select throws_ok(
  $$ select from tasker.create_task('test', 'mail', p_identity_key => 'q', p_throttle_wait => true) $$, 'TK422',
  'a task cannot wait for its turn like this', 'waiting needs a throttle'
);
select set_config('tasker_test.task', (select min(t.task_uuid::text) from tasker.tasks as t), true);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
