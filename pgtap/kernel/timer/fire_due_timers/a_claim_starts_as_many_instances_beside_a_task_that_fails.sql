begin;
set local client_min_messages = error;
select plan(4);

select tasker_test.freeze();
select tasker_test.poison(tasker_test.create_task(p_deadline => tasker.clock() + interval '1 second'));
select tasker_test.pass('1 second');
select tasker_test.create_waiting('wide', '[{"name": "each", "for_each": "$.lines"}]',
  p_context => jsonb_build_object('lines', (select jsonb_agg(n) from generate_series(1, 100) as n))) from generate_series(1, 3);
create function pg_temp.started() returns bigint language sql as $$
  select count(*) from tasker.workflow_steps as s where s.map_no is not null;
$$;
create function pg_temp.claim() returns void language sql as $$
  select from tasker.claim_steps('{test}', tasker_test.worker(), 1, 60, '{other}');
$$;

select pg_temp.claim();
select is((select count(*) from tasker.timers as m where m.due_at > tasker.clock()), 1::bigint, 'the task that fails is put off');
select is(pg_temp.started(), 25::bigint, 'the claim starts 25 instances of three maps');
select pg_temp.claim();
select is(pg_temp.started(), 50::bigint, 'so does the next one');
select is_empty('select v from tasker.tasks as t cross join tasker_test.violations(t.task_uuid) as v', 'every invariant holds');

select * from finish();
rollback;
