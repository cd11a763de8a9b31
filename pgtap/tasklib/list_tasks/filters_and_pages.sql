begin;
select plan(11);

select tasker_test.register_echo();
select tasker_test.register_echo(p_name => 'other');
create temporary table s as
  select * from tasklib.submit_tasks('echo', array(select jsonb_build_object('n', n) from generate_series(1, 6) as n),
    p_tags => array(select case when n % 2 = 0 then jsonb_build_object('even', true, 'n', n) end from generate_series(1, 6) as n));
select tasker_test.echo(7, 0, 0, 'other');
select tasker_test.fail_echo(c.id, 1, 'x', true) from tasker_test.claim_echo(1) as c;
select tasker_test.complete_echo(c.id) from tasker_test.claim_echo(1) as c;
select tasker_test.claim_echo(1);
select tasklib.cancel_task((select s.id from s where position = 6));

create function pg_temp.numbers(p_state text default null, p_name text default null, p_limit integer default 100, p_tags jsonb default null, p_before uuid default null)
  returns text language sql as $$
  select string_agg(t.kwargs ->> 'n', ' ' order by t.id desc) from tasklib.list_tasks(p_state, p_name, p_limit, p_tags, p_before) as t
$$;
select is(pg_temp.numbers(), '7 6 5 4 3 2 1', 'all tasks are listed, newest first');
select is(pg_temp.numbers('pending'), '7 5 4', 'a state selects the pending tasks');
select is(pg_temp.numbers('running'), '3', 'a state selects the running task');
select is(pg_temp.numbers('completed'), '2', 'a state selects the completed task');
select is(pg_temp.numbers('failed'), '1', 'a state selects the failed task');
select is(pg_temp.numbers('cancelled'), '6', 'a state selects the cancelled task');
select is(pg_temp.numbers(null, 'other'), '7', 'a name selects its tasks');
select is(pg_temp.numbers('pending', 'echo'), '5 4', 'a state and a name select together');
select is(pg_temp.numbers(p_tags => '{"even": true}'), '6 4 2', 'tags select the tasks that have them');
select is(pg_temp.numbers(p_limit => 2), '7 6', 'p_limit limits a page');
select is(pg_temp.numbers(p_limit => 2, p_before => (select s.id from s where position = 6)), '5 4', 'p_before starts the next page');

select * from finish();
rollback;
