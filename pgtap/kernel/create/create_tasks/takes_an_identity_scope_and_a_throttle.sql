begin;
select plan(8);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "test", "name": "mail", "identity_strategy": "caller_provided", "steps": [{"name": "a"}]}');
create function pg_temp.request(p_from integer, p_to integer, p_scope text default null) returns text language sql as $$
  select string_agg(left(c.created::text, 1), '' order by c.position) from tasker.create_tasks(
    'test', 'mail', array_fill('{}'::jsonb, array[p_to - p_from + 1]), p_identity_keys => array(select n::text from generate_series(p_from, p_to) as n),
    p_identity_scope => p_scope, p_throttle_limit => 5, p_throttle_seconds => 50) as c;
$$;
select is(pg_temp.request(1, 3), 'ttt', 'three requests of five are accepted');
select throws_ok('select pg_temp.request(4, 6)', 'TK429', 'too many tasks of template "test/mail"', 'three more are refused together');
select is((select count(*) from tasker.tasks), 3::bigint, 'a refused call leaves no task behind');
select is(pg_temp.request(2, 5), 'fftt', 'repeats are not counted');
select throws_like('select pg_temp.request(6, 11)', '%too many%', 'a call with more tasks than the limit is always refused');
select tasker_test.pass('100 seconds');

select tasker.cancel_task(t.task_uuid) from tasker.tasks as t;
select is(pg_temp.request(1, 3), 'fff', 'an identity lasts forever by default');
select is(pg_temp.request(1, 3, 'open'), 'ttt', 'an identity of scope "open" lasts until its task has ended');
select throws_ok($$ select from tasker.create_tasks('test', 'mail', '{}', p_identity_scope => 'period') $$, 'TK422', 'the identity scope of a task cannot be "period"', 'an incomplete scope is refused');

select * from finish();
rollback;
