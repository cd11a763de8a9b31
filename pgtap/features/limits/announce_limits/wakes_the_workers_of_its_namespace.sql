begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.limited();
select tasker.set_limit('test', 'stripe', 1);
select tasker.register_task_template('{"namespace": "other", "name": "pay", "identity_strategy": "always_unique", "steps": [{"name": "pay", "limit": "paypal"}]}');
select tasker.set_limit('other', 'paypal', 1);
select tasker_test.make_limited(2);
select is((select count(*) from tasker.claim_steps('{test}', tasker_test.worker(), 10)), 1::bigint, 'one step finds a place');

create temporary table woken (namespace text);
grant insert on woken to tasker_owner;
create or replace function tasker.notify_steps_ready(p_namespace text) returns void language sql as $$ insert into pg_temp.woken values (p_namespace) $$;
select is(tasker_test.complete_limited(), 1::bigint, 'its result gives the place back');
select results_eq('select distinct w.namespace from woken as w', array['test'], 'the workers of its namespace are woken, and no others');

select * from finish();
rollback;
