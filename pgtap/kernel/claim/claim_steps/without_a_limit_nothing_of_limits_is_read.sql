begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.limited();
select tasker.set_limit('test', 'stripe', 1);
select tasker.register_task_template('{"namespace": "test", "name": "free", "identity_strategy": "always_unique", "steps": [{"name": "free"}]}');
select tasker_test.make_limited(10);
select from tasker.create_tasks('test', 'free', array_fill('{}'::jsonb, array[10]));

-- A claim for another handler: with the tables of limits out of reach it works as before.
alter table tasker.limit_lines rename to hidden_lines;
alter table tasker.limit_notes rename to hidden_notes;
alter table tasker.limit_keys rename to hidden_keys;
select is((select count(*) from tasker.claim_steps('{test}', tasker_test.worker(), 5, p_handlers => '{free}')), 5::bigint, 'a claim for a handler without a limit reads no table of limits');
select throws_ok($$ select tasker.claim_steps('{test}', tasker_test.worker(), 5, p_handlers => '{pay}') $$, '42P01', null, 'a claim for a limited handler reads the tables of limits');

select * from finish();
rollback;
