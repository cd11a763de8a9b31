begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.register('one', 'a');
\set request '''00000000-0000-4000-8000-0000000000f1'''
prepare request as select c.name from tasker.claim_steps('{test}', tasker_test.worker(), 1, null, null, :request) as c;
select is_empty('execute request', 'the request finds no step');
select tasker_test.launch('one');
select results_eq('execute request', $$ values ('a') $$, 'a repeat gets a step that has become ready since');
select results_eq('execute request', $$ values ('a') $$, 'a further repeat gets the same step');

select * from finish();
rollback;
