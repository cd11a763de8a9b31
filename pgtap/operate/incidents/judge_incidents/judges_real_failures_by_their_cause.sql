begin;
select plan(8);

select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker_test.register('order', 'charge');
select tasker_test.launch('order') from generate_series(1, 30);
select from tasker.register_worker(tasker_test.worker(), 'one', '{test}', '{charge}');
create temporary table claimed as select c.step_uuid, c.claim_no, row_number() over () as no from tasker_test.claim(30) as c;
select count(*) from tasker.fail_steps(
  array(select c.step_uuid from claimed as c order by c.no), array(select c.claim_no from claimed as c order by c.no),
  array(select format('charge order %s: unexpected status %s', 1000 + c.no, case when c.no <= 20 then 503 else 429 end) from claimed as c order by c.no),
  array_fill(true, array[30])
);
select tasker_test.judge();
select set_eq(
  $$ select i.subject, i.severity, i.entries, i.figures ->> 'first_error' from tasker.list_incidents() as i $$,
  $$ values ('charge', 'look_today', 20::bigint, 'charge order 1001: unexpected status 503'), ('charge', 'look_today', 10, 'charge order 1021: unexpected status 429') $$,
  'failures of one cause are one incident, and those of another status are another'
);
select is((select count(distinct i.part_of) from tasker.list_incidents() as i), 1::bigint, 'causes of one handler that began together are parts of one incident');
select tasker_test.pass('15 seconds');
select tasker_test.judge();
select set_eq($$ select i.severity from tasker.list_incidents() as i $$, array['act_now'], 'the second judgement in a row raises what half of the results share');
select is((select sum(o.failures) from tasker.error_counts as o), 30::numeric, 'the log''s last minutes are read twice, and their failures counted once');

select tasker.retry_step(c.step_uuid) from claimed as c where c.no <= 5;
select tasker_test.pass('15 seconds');
select tasker_test.judge();
select is(
  (select array_agg(i.entries order by i.entries) from tasker.list_incidents() as i where i.kind = 'failing'), '{10,15}', 'steps that were retried no longer count'
);
select from tasker_test.claim(5);
select tasker_test.complete('charge', p_task => tasker.task_uuid_of(c.step_uuid)) from claimed as c where c.no <= 5;
select tasker_test.pass('6 minutes');
select tasker_test.judge();
select is((select count(*) from tasker.error_steps), 25::bigint, 'rows of steps that have completed are deleted');
select tasker_test.pass('20 minutes');
select tasker_test.judge();
select set_eq($$ select i.severity from tasker.list_incidents() as i where i.kind = 'failing' $$, array['look_today'], 'when the outage is over the steps that still stand failed are a matter for today');
select tasker.cancel_task(tasker.task_uuid_of(c.step_uuid)) from claimed as c where c.no > 5;
select tasker_test.pass('15 seconds');
select tasker_test.judge();
select tasker_test.pass('15 seconds');
select tasker_test.judge();
select is_empty($$ select i.incident from tasker.list_incidents() as i where i.kind = 'failing' $$, 'it ends when no step stands failed any longer');

select * from finish();
rollback;
