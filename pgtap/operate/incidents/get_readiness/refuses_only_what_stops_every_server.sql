begin;
select plan(7);

select tasker_test.freeze('2026-11-21 10:00:00Z');
prepare ready as select r.refused, r.severity, r.kinds from tasker.get_readiness() as r;
select tasker_test.judge();
select results_eq('execute ready', $$ values (null::text, 'well', '{}'::text[]) $$, 'a database without work is well');

select tasker.register_namespace('secret');
select tasker.pause_namespace('secret', 'ann');
select tasker_test.pass('24 hours');
select tasker_test.judge();
select results_eq('execute ready', $$ values (null::text, 'act_now', '{paused}'::text[]) $$, 'an incident of an application does not make servers unready');
select unalike((select r::text from tasker.get_readiness() as r), '%secret%', 'the answer names no data, because probes have no token');
select tasker.acknowledge_incident('paused:secret', p_actor => 'ann');
select results_eq('execute ready', $$ values (null::text, 'well', '{}'::text[]) $$, 'an acknowledged one is for information');

select tasker_test.register('order', 'charge');
select tasker_test.launch('order') as task \gset
insert into tasker.waiting_tasks (task_uuid, waiting_since) values (:'task', tasker.clock() - interval '5 minutes') on conflict (task_uuid) do update set waiting_since = excluded.waiting_since;
select tasker_test.judge();
select is((select r.refused is null from tasker.get_readiness() as r), true, 'tasks that have waited for five minutes are for today');
update tasker.waiting_tasks set waiting_since = tasker.clock() - interval '1 hour';
select tasker_test.pass('15 seconds');
select tasker_test.judge();
select is((select r.refused from tasker.get_readiness() as r), 'Tasks wait for an orchestrator', 'without orchestrators no server is ready');
delete from tasker.waiting_tasks;
update tasker.incidents set ended_at = tasker.clock();
select tasker_test.pass('15 years');
select tasker_test.judge();
select is((select r.refused from tasker.get_readiness() as r), 'No partition covers the tasks that are created now', 'nor without a partition for new tasks');

select * from finish();
rollback;
