begin;
select plan(1);

select tasker_test.freeze();
create function pg_temp.buffers(p_steps integer) returns bigint language sql as $$
  select tasker_test.buffers(format(
    'select from tasker.register_task_template(%L)',
    jsonb_build_object('namespace', 'test', 'name', 'chain' || p_steps, 'steps', (
      select jsonb_agg(jsonb_build_object(
          'name', 's' || n, 'handler', 'h' || p_steps || '_' || n,
          'dependencies', case when n > 1 then jsonb_build_array('s' || n - 1) else '[]' end
        ) order by n)
        from generate_series(1, p_steps) as n
    ))
  ));
$$;
select pg_temp.buffers(1000);
create temporary table reads as select n, pg_temp.buffers(n) as buffers from unnest('{1500,6000}'::integer[]) as n;
select cmp_ok(
  (select r.buffers from reads as r where r.n = 6000), '<', 6 * (select r.buffers from reads as r where r.n = 1500),
  'four times the steps cost about four times as much'
);

select * from finish();
rollback;
