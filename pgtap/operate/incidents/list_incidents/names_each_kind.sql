begin;
select plan(31);

select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker_test.judge();
select is_empty($$ select i.incident from tasker.list_incidents() as i $$, 'a database without work has no incidents');
prepare kinds as select i.kind, i.rule, i.severity, i.entries from tasker.list_incidents() as i order by i.kind, i.rule;

-- unserved
select tasker_test.register('order', 'charge');
select tasker_test.launch('order') from generate_series(1, 49);
select tasker_test.pass('119 seconds');
select tasker_test.judge();
select is_empty('execute kinds', 'a handler that no worker has may be missing for two minutes');
select tasker_test.pass('1 second');
select tasker_test.judge();
select results_eq('execute kinds', $$ values ('unserved', 'time', 'look_today', 49::bigint) $$, 'after two minutes it is a matter for today');
select tasker_test.launch('order');
select tasker_test.judge();
select results_eq('execute kinds', $$ values ('unserved', 'steps', 'act_now', 50::bigint) $$, 'with fifty steps a person must act now');
select from tasker.register_worker(tasker_test.worker(), 'one', '{test}', '{charge}');
select tasker_test.judge();
select is(tasker_test.severity('unserved'), 'act_now', 'it does not clear at once');
select tasker_test.pass('1 minute');
select tasker.heartbeat_worker(tasker_test.worker());
select tasker_test.judge();
select is(tasker_test.severity('unserved'), null, 'it clears after a minute with a worker');

-- queue
select tasker_test.pass('2 minutes');
select tasker.heartbeat_worker(tasker_test.worker());
select tasker_test.judge();
select results_eq('execute kinds', $$ values ('queue', 'oldest', 'look_today', 50::bigint) $$, 'steps that wait for five minutes although a worker runs are listed');
select tasker_test.pass('10 minutes');
select tasker.heartbeat_worker(tasker_test.worker());
select tasker_test.judge();
select results_eq('execute kinds', $$ values ('queue', 'oldest', 'act_now', 50::bigint) $$, 'after fifteen minutes a person must act now');

-- paused
select tasker.pause_namespace('test', 'ann');
select tasker_test.pass('10 minutes');
select tasker_test.judge();
select results_eq('execute kinds', $$ values ('paused', 'namespace', 'look_today', 0::bigint) $$, 'a paused namespace is listed, and its queue is not');
select tasker_test.pass('24 hours');
select tasker_test.judge();
select is(tasker_test.severity('paused'), 'act_now', 'a pause of a day asks for a person now');
select tasker.resume_namespace('test');
select tasker_test.judge();
select is(tasker_test.severity('paused'), null, 'it ends with the pause');
delete from tasker.step_queue;
update tasker.incidents set ended_at = tasker.clock();

-- limit
select tasker_test.limited();
select from tasker.set_limit('test', 'stripe', p_concurrency => 1);
select tasker_test.make_limited(101);
select from tasker.register_worker(tasker_test.worker(), 'one', '{test}');
select from tasker_test.claim(1);
select tasker_test.judge();
select is(tasker_test.severity('limit'), null, 'one judgement does not raise a long line');
select tasker_test.pass('15 seconds');
select tasker_test.judge();
select results_eq(
  $$ select i.severity, i.entries from tasker.list_incidents() as i where i.kind = 'limit' $$, $$ values ('look_today', 100::bigint) $$, 'a line of 100 steps is listed after two'
);

-- deadline
select tasker_test.create_task('order', p_deadline => tasker.clock() + interval '1 minute') as late \gset
select tasker_test.pass('2 minutes');
select count(*) from tasker.fire_due_timers(100);
select tasker_test.judge();
select results_eq(
  $$ select i.severity, i.entries, i.figures ->> 'first_task' from tasker.list_incidents() as i where i.kind = 'deadline' $$,
  format($$ values ('look_today', 1::bigint, %L) $$, :'late'), 'a task that its deadline ended is listed'
);
select tasker_test.pass('61 minutes');
select tasker_test.judge();
select is(tasker_test.severity('deadline'), null, 'it is listed for an hour');

-- schedule
select from tasker.set_schedule('test', 'nightly', 'order', p_every_seconds => 3600);
update tasker.schedules set last_error = 'no template', last_error_at = tasker.clock(), failures = 1;
select tasker_test.judge();
select is(tasker_test.severity('schedule'), 'look_today', 'a schedule that fails is listed');
update tasker.schedules set failures = 3;
select tasker_test.judge();
select is(tasker_test.severity('schedule'), 'act_now', 'after three failures in a row a person must act now');
update tasker.schedules set last_error = null, failures = 0, due_at = tasker.clock() - interval '2 minutes';
select tasker_test.judge();
select is(tasker_test.severity('schedule'), 'look_today', 'it falls at once when a run is only late');
update tasker.schedules set due_at = 'infinity';
select tasker_test.judge();
select is(tasker_test.severity('schedule'), null, 'a good run ends it');
update tasker.schedules set due_at = tasker.clock() - interval '2 minutes';
select tasker_test.judge();
select tasker_test.pass('15 seconds');
select tasker_test.judge();
select is((select i.rule from tasker.list_incidents() as i where i.kind = 'schedule'), 'missed', 'a run that is late is listed after two judgements');
update tasker.schedules set due_at = 'infinity';

-- dead letters
select tasker_test.launch('order') as dead \gset
select tasker.create_dlq_entry(:'dead', 'manual_dlq');
select tasker_test.judge();
select results_eq(
  $$ select i.severity, i.namespace, i.entries from tasker.list_incidents() as i where i.kind = 'dead_letters' $$, $$ values ('look_today', 'test', 1::bigint) $$, 'an open investigation is listed'
);

-- subscription
select tasker_test.subscribe();
update tasker.subscriptions set failures = 3, last_error = 'connection refused', last_error_at = tasker.clock();
select tasker_test.judge();
select results_eq(
  $$ select i.severity, i.rule, i.what from tasker.list_incidents() as i where i.kind = 'subscription' $$,
  $$ values ('look_today', 'failures', 'Subscription all is not delivered: connection refused') $$, 'a target that does not answer three times is listed'
);
update tasker.subscriptions set failures = 50;
select tasker_test.judge();
select is(tasker_test.severity('subscription'), 'act_now', 'after fifty times a person must act now');
update tasker.subscriptions set failures = 0;
insert into tasker.dead_events (subscription, event_uuid, event, failures, error, died_at) values ('all', gen_random_uuid(), '{}', 5, 'refused', tasker.clock());
select tasker_test.pass('6 minutes');
select tasker_test.judge();
select results_eq(
  $$ select i.severity, i.rule, i.entries from tasker.list_incidents() as i where i.kind = 'subscription' $$, $$ values ('look_today', 'dead', 1::bigint) $$, 'an event that was given up is listed'
);

-- workers_gone
select tasker.register_namespace('elsewhere');
select tasker.register_worker(tasker_test.worker(n), 'fleet', '{elsewhere}') from generate_series(11, 14) as n;
select tasker_test.pass('14 minutes 30 seconds');
select tasker.heartbeat_worker(tasker_test.worker(n)) from generate_series(11, 14) as n;
select tasker_test.pass('2 minutes');
select tasker.heartbeat_worker(tasker_test.worker(n)) from generate_series(11, 12) as n;
select tasker_test.judge();
select tasker_test.pass('15 seconds');
select tasker_test.judge();
select results_eq(
  $$ select i.severity, i.entries from tasker.list_incidents() as i where i.kind = 'workers_gone' and i.namespace = 'elsewhere' $$, $$ values ('look_today', 2::bigint) $$,
  'two of four workers that are gone are listed'
);

-- timers, orchestrator, duty
insert into tasker.timers (task_uuid, step_no, kind, due_at) values (:'dead', 1, 'retry_step', tasker.clock());
insert into tasker.failed_timers (task_uuid, step_no, kind, due_at, code, error, failed_at) values (:'dead', 1, 'retry_step', tasker.clock(), 'XX000', 'broken', tasker.clock());
insert into tasker.waiting_tasks (task_uuid, waiting_since) values (:'dead', tasker.clock() - interval '5 minutes') on conflict (task_uuid) do update set waiting_since = excluded.waiting_since;
update tasker.maintenance_duties set last_error = 'disk full' where duty = 'retention';
select tasker_test.judge();
select tasker_test.pass('15 seconds');
select tasker_test.judge();
select set_eq(
  $$ select i.kind, i.severity from tasker.list_incidents() as i where i.kind in ('timers', 'orchestrator', 'duty') $$,
  $$ values ('timers', 'look_today'), ('orchestrator', 'look_today'), ('duty', 'look_today') $$, 'what keeps the engine from working is listed'
);
select matches((select i.what from tasker.list_incidents() as i where i.kind = 'duty'), 'retention fails: disk full', 'a failed duty is named with its error');

-- partitions, retention
select tasker_test.pass('15 years');
select tasker_test.judge();
select tasker_test.pass('15 seconds');
select tasker_test.judge();
select is(tasker_test.severity('partitions'), 'act_now', 'without a partition for new tasks a person must act now');
update tasker.partition_config set retention = interval '30 days';
select tasker_test.judge();
select tasker_test.pass('15 seconds');
select tasker_test.judge();
select is(tasker_test.severity('retention'), 'act_now', 'ranges that were kept years past their retention are listed');

-- unjudged
select tasker_test.pass('119 seconds');
select is(tasker_test.severity('unjudged'), null, 'two minutes without a judgement are usual');
select tasker_test.pass('15 minutes');
select is(tasker_test.severity('unjudged'), 'act_now', 'a quarter of an hour without one is not, and the function measures itself meanwhile');

select * from finish();
rollback;
