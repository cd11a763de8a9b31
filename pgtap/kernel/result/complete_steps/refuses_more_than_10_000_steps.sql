begin;
select plan(2);

select throws_ok(
  $$ select tasker.complete_steps(array_agg(gen_random_uuid()), array_agg(1)) from generate_series(1, 10001) as n $$,
  'TK413', '10001 steps are too many for one call', 'more than 10,000 steps are refused'
);
select is(
  (
    select count(*)
      from (select array_agg(gen_random_uuid()) as steps, array_agg(1) as claim_nos from generate_series(1, 10000) as n) as c
     cross join lateral tasker.complete_steps(c.steps, c.claim_nos) as a
     where a.answer::text = 'not_found'
  ),
  10000::bigint, '10,000 steps are answered'
);

select * from finish();
rollback;
