begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.register('one', 'a');
select from generate_series(1, 3) as g (n), tasker.create_task('test', 'one', jsonb_build_object('n', g.n), p_tags => array['t']);
select tasker.cancel_task(t.task_uuid) from tasker.tasks as t;
select from tasker.erase_tasks('asked for', '{t}', p_actor => 'ann');
select results_eq(
  $$ select distinct e.namespace, e.erased_by, e.reason, e.steps, e.dropped from tasker.list_erasures() as e $$,
  $$ values ('test', 'ann', 'asked for', 1, false) $$, 'each erasure says who, why and what'
);
select is((select count(*) from tasker.list_erasures(p_before => (select max(e.task_uuid::text)::uuid from tasker.erasures as e), p_limit => 1)), 1::bigint, 'a page is as long as asked for');
select is((select count(*) from tasker.list_erasures(p_namespace => 'nothing')), 0::bigint, 'another namespace has none');
create role tap_bound in role tasker_operator;
select tasker.register_namespace('other');
select tasker.bind_role('tap_bound', '{other}');
set local role tap_bound;
select is_empty($$ select tasker.list_erasures() $$, 'a bound role sees those of its namespaces');
reset role;
select throws_ok($$ select tasker.list_erasures(p_limit => 0) $$, 'TK422', 'a limit of 0 is out of range', 'a limit of 0 is refused');

select * from finish();
rollback;
