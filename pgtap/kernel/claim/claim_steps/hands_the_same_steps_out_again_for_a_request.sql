begin;
select plan(10);

select tasker_test.freeze();
select tasker_test.register('wide', 'a', 'b', 'c', 'd', 'e');
select tasker_test.launch('wide');
prepare request (uuid, integer) as
  select c.name, c.claim_no from tasker.claim_steps('{test}', tasker_test.worker($2), 2, null, null, $1) as c;
\set one '''00000000-0000-4000-8000-0000000000f1'''
\set two '''00000000-0000-4000-8000-0000000000f2'''
create temporary table first as execute request (:one, 1);
create temporary table again as execute request (:one, 1);
select is((select count(*) from first), 2::bigint, 'the request gets two steps');
select results_eq('select f.* from first as f', 'select a.* from again as a', 'a repeat gets the same steps with the same claim numbers');
select is((select count(*) from tasker.workflow_step_transition_log as l where l.event = 'Start' and l.task_uuid = tasker_test.the_task()), 2::bigint, 'each step is started once');
select is((select w.claimed_count from tasker.workers as w where w.worker_uuid = tasker_test.worker()), 2::bigint, 'the claim is counted once');

select tasker_test.complete(f.name) from first as f limit 1;
select results_eq(format('execute request (%L, 1)', :one), 'select f.* from first as f offset 1', 'a repeat leaves out a step that is complete');
select is((select count(*) from tasker.claim_steps('{test}', tasker_test.worker(2), 1, null, null, :one)), 1::bigint, 'the same request of another worker is another request');
create temporary table next as execute request (:two, 1);
select is((select count(*) from next as n join first as f using (name)), 0::bigint, 'a new request gets other steps');
select is((select count(*) from next), 2::bigint, 'a new request gets as many steps as it asks for');
select is_empty(format('execute request (%L, 1)', :one), 'only the newest request of a worker is remembered');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
