begin;
select plan(5);

select tasker_test.freeze();
select tasker.register_task_template(jsonb_build_object('namespace', 'test', 'name', 'wide', 'steps',
  (select jsonb_agg(jsonb_build_object('name', 's' || n)) from generate_series(1, 1001) as n)
  || jsonb_build_object('name', 'most', 'dependencies', (select jsonb_agg('s' || n) from generate_series(1, 1000) as n))
  || jsonb_build_object('name', 'all', 'dependencies', (select jsonb_agg('s' || n) from generate_series(1, 1001) as n))
));
select tasker_test.launch('wide');
select count(*)
  from generate_series(1, 2) as r (n)
 cross join lateral (
   select array_agg(c.step_uuid) as steps, array_agg(c.claim_no) as claim_nos, array_agg(to_jsonb(c.step_no)) as results
     from tasker_test.claim(1000 + 0 * r.n) as c
 ) as c
 cross join lateral tasker.complete_steps(c.steps, c.claim_nos, c.results) as a;
prepare claim as
  select c.name, c.parent_results
    from tasker.claim_steps('{test}', tasker_test.worker(), 100, p_request_uuid => '00000000-0000-4000-8000-0000000000e1') as c;
create temporary table claimed as execute claim;
select results_eq(
  'select c.name, (select count(*) from jsonb_object_keys(c.parent_results)) from claimed as c order by 1',
  $$ values ('all', 1001::bigint), ('most', 1000) $$, 'the results of a thousand parents are handed out'
);
select is((select c.parent_results -> 's7' from claimed as c where c.name = 'all'), '7', 'the results have their parents'' names');

-- Too large for the claim, they are left out and fetched.
select tasker.set_setting('claim_bytes', '2048');
select set_eq('claim', $$ values ('all', null::jsonb), ('most', null) $$, 'results that are too large are left out');
select is((select count(*) from tasker.get_parent_results(tasker_test.the_step('all'), 0, 10000)), 1001::bigint, 'get_parent_results returns what was left out');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
