begin;
select plan(8);

select setseed(0.3);
select tasker_test.take_turn();
create function pg_temp.quotas(p_lanes text[], p_limit integer) returns integer[] language sql
  as 'select tasker.lane_quotas(p_lanes, p_limit, c) from tasker.settings_now as c';
select is(pg_temp.quotas('{high,normal,low}', 13), '{8,4,1}', 'quotas that divide evenly follow the weights');
select is(pg_temp.quotas('{low,high}', 9), '{1,8}', 'quotas are in the order of the given lanes');
select is(pg_temp.quotas('{normal}', 7), '{7}', 'a single lane gets everything');
select is(pg_temp.quotas('{running}', 5), '{5}', 'a lane without a weight gets everything if it is alone');
select is(pg_temp.quotas('{high,low}', 0), '{0,0}', 'zero rows give quotas of zero');
create temporary table quotas as
  select n, pg_temp.quotas('{high,normal,low}', 1 + n % 12) as quotas from generate_series(1, 1300) as n;
select is_empty($$ select from quotas as q where q.quotas[1] + q.quotas[2] + q.quotas[3] is distinct from 1 + q.n % 12 $$, 'the quotas add up to what was asked for');
select is_empty(
  $$ select from quotas as q cross join unnest('{8,4,1}'::integer[]) with ordinality as u (weight, lane)
      where (abs(q.quotas[u.lane] - u.weight * (1 + q.n % 12) / 13.0) < 1) is not true $$,
  'a quota differs from its share by less than a row'
);
select ok(
  (select bool_and(abs(avg - weight / 13.0) < 0.05)
     from (select u.weight, avg((pg_temp.quotas('{high,normal,low}', 1 + 0 * n))[u.lane])
             from generate_series(1, 2000) as n cross join unnest('{8,4,1}'::integer[]) with ordinality as u (weight, lane) group by u.weight) as x),
  'the mean quota is the share'
);

select * from finish();
rollback;
