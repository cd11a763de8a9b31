begin;
select plan(1);

select tasker_test.register_echo('{"concurrency_limit": 2}');
select tasker_test.register_echo(p_name => 'free');
select tasklib.submit_tasks('echo', array_fill('{}'::jsonb, array[5]), p_priorities => array_fill(9, array[5]));
select tasklib.submit_tasks('free', array_fill('{}'::jsonb, array[5]));

select results_eq(
  $$ select c.name, count(*) from tasklib.claim_tasks(array['echo', 'free'], 'w', 4) as c group by c.name order by 1 $$,
  $$ values ('echo', 2::bigint), ('free', 2::bigint) $$, 'another name gets the places that a limited name cannot use'
);

select * from finish();
rollback;
