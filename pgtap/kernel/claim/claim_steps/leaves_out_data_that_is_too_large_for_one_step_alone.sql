begin;
select plan(5);

select tasker_test.freeze();
select tasker.set_setting('claim_bytes', '4096');
select tasker_test.register('pair', 'first', 'second first');
create temporary table tasks as
  select u.n, tasker_test.launch('pair', jsonb_build_object('n', u.n, 'text', repeat('x', u.context))) as task_uuid
    from (values (1, 10), (2, 3000), (3, 10)) as u (n, context);
select results_eq(
  $$ select t.n, c.context is null, c.parent_results from tasker_test.claim() as c join tasks as t using (task_uuid) order by 1 $$,
  $$ values (1, false, '{}'::jsonb), (2, true, '{}'), (3, false, '{}') $$,
  'a context that exceeds its step''s share of 1,365 bytes is left out'
);
select tasker_test.complete('first', jsonb_build_object('text', repeat('y', case when t.n = 3 then 1500 else 100 end)), t.task_uuid) from tasks as t;
select results_eq(
  $$ select t.n, c.context is null, c.parent_results is null from tasker_test.claim() as c join tasks as t using (task_uuid) order by 1 $$,
  $$ values (1, false, false), (2, true, true), (3, false, true) $$,
  'large results are left out, and the other steps get theirs'
);
select is(
  (select length(r.results ->> 'text') from tasks as t cross join lateral tasker.get_parent_results(tasker.step_uuid(t.task_uuid, 2)) as r where t.n = 3),
  1500, 'get_parent_results returns the results that were left out'
);
select is((select length(d.context ->> 'text') from tasks as t cross join lateral tasker.get_task(t.task_uuid) as d where t.n = 2), 3000, 'get_task returns the context that was left out');

select tasker_test.launch('pair', jsonb_build_object('text', repeat('x', 3000)));
select is((select length(c.context ->> 'text') from tasker_test.claim() as c), 3000, 'a step that is claimed alone gets its whole context');

select * from finish();
rollback;
