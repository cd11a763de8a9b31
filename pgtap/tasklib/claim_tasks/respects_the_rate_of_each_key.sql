begin;
select plan(17);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo('{"key_rate_limit": 4, "key_rate_period_seconds": 60}');
create function pg_temp.submit(p_key text, p_count integer) returns void language sql as $$
  select from tasklib.submit_tasks(
    'echo', array_fill(jsonb_build_object('key', coalesce(p_key, '-')), array[p_count]), p_limit_keys => array_fill(p_key, array[p_count])
  );
$$;
create function pg_temp.claim(p_limit integer) returns text language sql as $$
  select coalesce(string_agg(k.key || k.count, ' ' order by k.key collate "C"), 'none')
    from (
      select c.kwargs ->> 'key' as key, count(*) as count from tasklib.claim_tasks(array['echo'], 'w', p_limit, 604800) as c group by 1
    ) as k;
$$;
create function pg_temp.opens_in() returns numeric language sql as $$
  select round(tasklib.next_claim_in(array['echo'])::numeric, 3);
$$;

select pg_temp.submit('a', 30);
select pg_temp.submit('b', 30);
select is(pg_temp.claim(3), 'a2 b1', 'a claim of three takes two of one key and one of the other');
select is(pg_temp.claim(30), 'a2 b3', 'each key gives up to four');
select is(pg_temp.claim(30), 'none', 'a key whose rate is used up gives none');
select is(pg_temp.opens_in(), 15.000, 'the next claim has to wait for a quarter of the period');
select pg_temp.submit(null, 2);
select is(pg_temp.claim(30), '-2', 'tasks without a key are not limited');
select pg_temp.submit('c', 5);
select is(tasklib.next_claim_in(array['echo']), 0::double precision, 'a new key has a rate of its own');
select is(pg_temp.claim(30), 'c4', 'all of the new key''s rate can be used');

select tasker_test.pass('15 seconds');
select is(pg_temp.claim(1), 'a1', 'a quarter of the period restores a quarter of the rate');
select is(pg_temp.claim(30), 'b1 c1', 'each key has its own quarter');
select tasker_test.pass('1 hour');
select is(pg_temp.claim(30), 'a4 b4', 'an idle hour does not restore more than the limit');

select tasklib.register_task('echo', '{"key_rate_limit": 2, "key_rate_period_seconds": 1}');
select is(pg_temp.claim(30), 'none', 'a used rate stays used when the limit is changed');
select tasker_test.pass('500 milliseconds');
select is(pg_temp.claim(30), 'a1 b1', 'half of the new period restores half of the new rate');
select tasker_test.pass('-1 hour');
select pg_temp.claim(30);
select tasker_test.pass('1 second');
select is(pg_temp.claim(30), 'a2 b2', 'no key waits longer than its period when the clock is set back');
select tasklib.register_task('echo', '{"key_rate_limit": 100, "key_concurrency_limit": 1}');
select tasker_test.pass('1 hour');
select is(tasklib.next_claim_in(array['echo']), 'infinity', 'the concurrency limit holds although the rate would allow more');
select tasklib.register_task('echo', '{"key_rate_limit": null, "key_rate_period_seconds": null, "key_concurrency_limit": null}');
select is(pg_temp.claim(2), 'a1 b1', 'keys take turns without limits');

select tasklib.purge_expired();
select is_empty('select from tasklib.key_rates', 'purge_expired deletes the rows of keys whose rates are restored');
select throws_ok(
  $$ select tasklib.register_task('echo', '{"key_rate_limit": 1}') $$, 'TK422', 'a limit of task "echo" is incomplete', 'a rate without its period is refused'
);

select * from finish();
rollback;
