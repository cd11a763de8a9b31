begin;
select plan(11);

select tasker_test.register_echo('{"key_concurrency_limit": 2}');
select tasklib.submit_tasks(
  'echo', array_fill('{}'::jsonb, array[20]), p_limit_keys => array_fill('a'::text, array[10]) || array_fill('b'::text, array[10])
);
create function pg_temp.claim(p_limit integer) returns text language sql as $$
  select coalesce(string_agg(k.limit_key || k.count, ' ' order by k.limit_key), 'none')
    from (
      select t.limit_key, count(*) as count
        from tasklib.claim_tasks(array['echo'], 'w', p_limit) as c
        join lateral tasklib.get_task(c.id) as t on true
       group by t.limit_key
    ) as k;
$$;

select is(pg_temp.claim(10), 'a2 b2', 'two tasks of each key are claimed');
select is(pg_temp.claim(10), 'none', 'no more tasks are claimed while they run');
select is(tasklib.next_claim_in(array['echo']), 'infinity', 'next_claim_in returns infinity while every key is at its limit');
select tasker_test.complete_echo((select t.id from tasklib.tasks as t where t.state = 'running' and t.limit_key = 'b' limit 1));
select is(tasklib.next_claim_in(array['echo']), 0::double precision, 'next_claim_in returns 0 when a task has completed');
select is(pg_temp.claim(10), 'b1', 'one more task of its key is claimed');

select tasklib.register_task('echo', '{"key_concurrency_limit": 4}');
select is(pg_temp.claim(10), 'a2 b2', 'a raised limit applies while tasks run');
select tasklib.register_task('echo', '{"key_concurrency_limit": 1}');
select tasker_test.complete_echo((select t.id from tasklib.tasks as t where t.state = 'running' and t.limit_key = 'a' limit 1));
select is(pg_temp.claim(10), 'none', 'a lowered limit holds tasks back while three others run');
select tasklib.register_task('echo', '{"key_concurrency_limit": null, "concurrency_limit": 9}');
select is(pg_temp.claim(10), 'a1 b1', 'the limit of the name holds for all keys together');
select tasklib.register_task('echo', '{"concurrency_limit": null}');
select is(pg_temp.claim(3), 'a2 b1', 'keys take turns without a limit, too');

select is(
  (select s.ready from tasklib.stats('echo') as s), (select count(*) from tasklib.list_tasks('pending')), 'stats counts the same ready tasks as list_tasks'
);
select throws_ok(
  $$ select tasklib.register_task('echo', '{"key_concurrency_limit": 0}') $$, 'TK422', 'option "key_concurrency_limit" cannot be 0', 'a limit of 0 is refused'
);

select * from finish();
rollback;
