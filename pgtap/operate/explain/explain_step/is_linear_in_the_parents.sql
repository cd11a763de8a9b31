begin;
select plan(1);

select tasker_test.freeze();
create function pg_temp.buffers(p_parents integer) returns bigint language plpgsql as $$
begin
  perform tasker_test.register(
    'join' || p_parents,
    variadic array(select 's' || n from generate_series(1, p_parents) as n)
      || ('end ' || (select string_agg('s' || n, ' ') from generate_series(1, p_parents) as n))
  );
  perform tasker_test.create_task('join' || p_parents);
  -- The second look: the first one also reads the catalogue.
  perform from tasker.explain_step(tasker_test.the_step('end'));
  return tasker_test.buffers(format('select from tasker.explain_step(%L)', tasker_test.the_step('end')));
end;
$$;
create temporary table reads as select n, pg_temp.buffers(n) as buffers from unnest('{250,1000}'::integer[]) as n;
select cmp_ok(
  (select r.buffers from reads as r where r.n = 1000), '<', 6 * (select r.buffers from reads as r where r.n = 250),
  'four times the parents cost about four times as much'
);

select * from finish();
rollback;
