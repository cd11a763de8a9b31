begin;
select plan(4);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo('{"key_rate_limit": 1, "key_rate_period_seconds": 86400}');
select tasklib.submit_tasks(
  'echo', array_fill('{}'::jsonb, array[2400]), p_limit_keys => array(select 'a' || lpad((i % 1200)::text, 4, '0') from generate_series(1, 2400) as i)
);
select is((select count(*) from tasklib.claim_tasks(array['echo'], 'w', 2000)), 1200::bigint, 'one of each key');
select tasklib.submit_task('echo', p_limit_key => 'a1100x');
select is(
  (select array_agg(c.count order by i)
     from generate_series(1, 4) as i
    cross join lateral (select count(*) as count from tasker_test.claim_echo(least(i, 1))) as c),
  '{0,0,1,0}'::bigint[], 'a claim reads 500 closed keys, and the next one goes on from there'
);
select is(tasklib.next_claim_in(array['echo']), 0.05::double precision, 'so a worker asks again soon');
select cmp_ok(
  tasker_test.buffers($$ select * from tasker_test.claim_echo(1) $$), '<', 12000::bigint, 'and what it reads has a bound'
);

select * from finish();
rollback;
