begin;
select plan(5);

create function pg_temp.submit(p_from integer, p_to integer) returns void language sql as $$
  select from tasklib.submit_tasks(
    'echo', array_fill('{}'::jsonb, array[2 * (p_to - p_from + 1)]),
    p_limit_keys => array(select 'a' || lpad(i::text, 4, '0') from generate_series(p_from, p_to) as i cross join generate_series(1, 2))
  );
$$;
create function pg_temp.cost(p_limit integer) returns bigint language sql as $$
  select tasker_test.buffers(format('select * from tasker_test.claim_echo(%s)', p_limit));
$$;
select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo('{"key_rate_limit": 1, "key_rate_period_seconds": 86400}');
select pg_temp.submit(1, 1200);
-- Warm up: the first call also reads the catalogues for its plan.
select pg_temp.cost(1);
select pg_temp.cost(500) as open \gset
select is((select count(*) from tasklib.claim_tasks(array['echo'], 'w', 2000)), 699::bigint, 'each key gets one task');
select tasklib.submit_task('echo', p_limit_key => 'a1100x');
select is(
  (select array_agg(c.count order by i)
     from generate_series(1, 4) as i
    cross join lateral (select count(*) as count from tasker_test.claim_echo(least(i, 1))) as c),
  '{0,0,1,0}'::bigint[], 'a claim reads 500 keys whose rate is used up, and the next one continues there'
);
select is(tasklib.next_claim_in(array['echo']), 0.05::double precision, 'next_claim_in returns a short delay while keys are left to read');

select pg_temp.cost(1) as used_up \gset
select cmp_ok(:used_up, '<', :open, 'to pass over 500 keys costs less than to claim a task of each');
select pg_temp.submit(1201, 4800);
select count(*) from tasklib.claim_tasks(array['echo'], 'w', 4000);
select pg_temp.cost(1) as again \gset
select cmp_ok(:again, '<', (1.3 * :used_up)::integer, 'a claim costs the same beside four times as many of these keys');

select * from finish();
rollback;
