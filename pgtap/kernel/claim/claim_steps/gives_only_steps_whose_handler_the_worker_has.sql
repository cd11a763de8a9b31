begin;
select plan(5);

select tasker_test.freeze();
select tasker.register_task_template('{
  "namespace": "test", "name": "three", "steps": [{"name": "a", "handler": "alpha"}, {"name": "b", "handler": "beta"}, {"name": "c", "handler": "gamma"}]
}');
select tasker_test.launch('three');
prepare claim (text[]) as select c.handler from tasker.claim_steps('{test}', tasker_test.worker(), 10, null, $1) as c order by 1;
select is_empty($$ execute claim ('{}') $$, 'an empty list of handlers claims nothing');
select is_empty($$ execute claim ('{delta,null,"alpha; drop table tasks --"}') $$, 'unknown handlers claim nothing');
select results_eq($$ execute claim ('{beta,delta,beta}') $$, $$ values ('beta') $$, 'a claim matches the handler, not the name of the step');
select results_eq($$ execute claim (null) $$, $$ values ('alpha'), ('gamma') $$, 'null claims for all handlers');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
