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

select is(pg_temp.claim(10), 'a2 b2', 'two of each key');
select is(pg_temp.claim(10), 'none', 'no more while they run');
select is(tasklib.next_claim_in(array['echo']), 'infinity', 'not before one of them has ended');
select tasker_test.complete_echo((select t.id from tasklib.tasks as t where t.state = 'running' and t.limit_key = 'b' limit 1));
select is(tasklib.next_claim_in(array['echo']), 0::double precision, 'then at once');
select is(pg_temp.claim(10), 'b1', 'one for the one that has ended');

select tasklib.register_task('echo', '{"key_concurrency_limit": 4}');
select is(pg_temp.claim(10), 'a2 b2', 'the limit is raised while they run');
select tasklib.register_task('echo', '{"key_concurrency_limit": 1}');
select tasker_test.complete_echo((select t.id from tasklib.tasks as t where t.state = 'running' and t.limit_key = 'a' limit 1));
select is(pg_temp.claim(10), 'none', 'and lowered: three still run');
select tasklib.register_task('echo', '{"key_concurrency_limit": null, "concurrency_limit": 9}');
select is(pg_temp.claim(10), 'a1 b1', 'the limit of the name holds for all keys together');
select tasklib.register_task('echo', '{"concurrency_limit": null}');
select is(pg_temp.claim(3), 'a2 b1', 'without limits keys still take turns');

select is(
  (select s.ready from tasklib.stats('echo') as s), (select count(*) from tasklib.list_tasks('pending')), 'statistics and lists count them'
);
select throws_ok(
  $$ select tasklib.register_task('echo', '{"key_concurrency_limit": 0}') $$, 'TK422', 'option "key_concurrency_limit" cannot be 0', 'a limit of none is refused'
);

select * from finish();
rollback;
