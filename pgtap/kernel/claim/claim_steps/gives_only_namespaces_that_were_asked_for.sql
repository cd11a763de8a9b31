begin;
select plan(3);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "shop", "name": "one", "steps": [{"name": "a"}]}');
select tasker.register_task_template('{"namespace": "mail", "name": "one", "steps": [{"name": "a"}]}');
select tasker.register_task_template('{"namespace": "bank", "name": "one", "steps": [{"name": "a"}]}');
select count(*) from unnest('{shop,mail,bank}'::text[]) as u (name) cross join lateral tasker.create_tasks(u.name, 'one', '{"{}"}');
select is_empty($$ select from tasker.claim_steps('{}', tasker_test.worker(), 10) $$, 'an empty list of namespaces claims nothing');
select results_eq(
  $$ select c.namespace from tasker.claim_steps('{mail,shop,mail}', tasker_test.worker(), 10) as c order by 1 $$,
  $$ values ('mail'), ('shop') $$, 'a namespace that is named twice is claimed once'
);
select set_has(
  $$ select c.namespace from tasker.claim_steps(null, tasker_test.worker(), 10) as c $$, $$ values ('bank') $$, 'null claims from all namespaces'
);

select * from finish();
rollback;
