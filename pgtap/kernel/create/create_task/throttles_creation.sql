begin;
select plan(9);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "test", "name": "mail", "identity_strategy": "caller_provided", "steps": [{"name": "a"}]}');
create function pg_temp.request(p_n integer, p_key text default null) returns boolean language sql as $$
  select c.created from tasker.create_task(
    'test', 'mail', p_identity_key => p_n::text, p_throttle_limit => 3, p_throttle_seconds => 60, p_throttle_key => p_key) as c;
$$;
select results_eq('select pg_temp.request(n) from generate_series(1, 3) as n', '{true,true,true}'::boolean[], 'three requests are accepted at once');
select throws_ok('select pg_temp.request(4)', 'TK429', 'too many tasks of template "test/mail"', 'the fourth is refused');
select is((select count(*) from tasker.tasks), 3::bigint, 'a refused request leaves no task behind');
select is(pg_temp.request(2), false, 'a repeat finds its task, and is not counted');
select is(pg_temp.request(4, 'other'), true, 'another key has a throttle of its own');
select tasker_test.pass('20 seconds');
select is(pg_temp.request(5), true, 'one request is accepted after a third of the period');
select throws_ok('select pg_temp.request(6)', 'TK429', 'too many tasks of template "test/mail"', 'a second one is refused');
select tasker_test.pass('-1 hour');
select is(pg_temp.request(6), true, 'a request is accepted after the clock was put back');
select tasker_test.pass('3 hours');
select tasker.run_maintenance('identities');
select is_empty('select from tasker.creation_throttles', 'a throttle without requests is deleted');

select * from finish();
rollback;
