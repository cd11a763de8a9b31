begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.register('pair', 'a', 'b');
select tasker_test.launch('pair');
select tasker_test.claim('a');
create temporary table reply as
  select tasker.attend(jsonb_build_object(
    'worker_uuid', tasker_test.worker(), 'name', 'host 1', 'namespaces', '{test}'::text[], 'handlers', '{a}'::text[], 'lease_seconds', 77,
    'claims', jsonb_build_array(
      jsonb_build_object('step_uuid', tasker_test.the_step('b'), 'claim_no', 1),
      jsonb_build_object('step_uuid', tasker_test.the_step('a'), 'claim_no', 1)
    )
  )) as r;
select is(
  (select jsonb_agg(l -> 'answer') from reply, jsonb_array_elements(r -> 'leases') as l), '["stale", "extended"]',
  'each claim has an answer, in order'
);
select is(
  (select s.lease_until from tasker.workflow_steps as s where s.name = 'a'), tasker.clock() + interval '77 seconds', 'the lease is renewed'
);
select is((select r -> 'registered' from reply), 'true', 'the worker is registered');
select is((select w.name from tasker.workers as w where w.worker_uuid = tasker_test.worker()), 'host 1', 'under its name');
select is(tasker.attend('{}') - 'clock', '{"leases": [], "registered": null}', 'an empty request does nothing');
select throws_ok($$ select tasker.attend('{"claims": 1}') $$, 'TK422', 'the request of tasker.attend is invalid', 'a number of claims is refused');

select * from finish();
rollback;
