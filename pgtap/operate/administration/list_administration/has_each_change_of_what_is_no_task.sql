begin;
select plan(22);

select tasker_test.freeze();
select tasker_test.register('one', 'a');
select coalesce(max(l.entry_no), 0) as before from tasker.administration_log as l \gset
create function pg_temp.entries(p_kind text) returns table (object text, action text, call text, actor text) language sql as $$
  select l.object, l.action, l.call, l.actor from tasker.list_administration(p_kind, p_limit => 1000) as l
   where l.entry_no > current_setting('tap.before')::bigint order by l.entry_no
$$;
select set_config('tap.before', :'before', true);

select tasker.set_limit('test', 'api', 3, p_actor => 'ann');
select tasker.set_limit('test', 'api', 4, p_actor => 'ben');
select tasker.set_limit('test', 'api', 4, p_actor => 'cat');
select tasker.drop_limit('test', 'api');
select results_eq(
  $$ select * from pg_temp.entries('limits') $$,
  $$ values ('test/api', 'insert', 'set_limit', 'ann'), ('test/api', 'update', 'set_limit', 'ann'), ('test/api', 'update', 'set_limit', 'ben'), ('test/api', 'delete', 'drop_limit', null) $$,
  'limits: each change with its function and given name, and none where nothing changes'
);
select is(
  (select (l.was ->> 'concurrency', l.becomes ->> 'concurrency', l.login)::text from tasker.list_administration('limits', 'test/api') as l where l.actor = 'ben'),
  format('(3,4,%s)', session_user), 'an entry has what it was, what it is, and the login'
);

select from tasker.set_schedule('test', 'nightly', 'one', p_cron => '0 2 * * *', p_actor => 'ann');
select tasker.pause_schedule('test', 'nightly', 'ben');
select tasker.resume_schedule('test', 'nightly');
select tasker.delete_schedule('test', 'nightly');
select results_eq(
  $$ select * from pg_temp.entries('schedules') $$,
  $$ values ('test/nightly', 'insert', 'set_schedule', 'ann'), ('test/nightly', 'update', 'pause_schedule', 'ben'),
            ('test/nightly', 'update', 'resume_schedule', null), ('test/nightly', 'delete', 'delete_schedule', null) $$,
  'schedules'
);

select from tasker.register_namespace('shop');
select tasker.pause_namespace('shop', 'ann');
select tasker.resume_namespace('shop');
select results_eq(
  $$ select e.action, e.call, e.actor from pg_temp.entries('task_namespaces') as e where e.object = 'shop' $$,
  $$ values ('insert', 'register_namespace', null), ('update', 'pause_namespace', 'ann'), ('update', 'resume_namespace', null) $$,
  'namespaces, and who resumed one'
);
select is(
  (select l.was ->> 'paused_by' from tasker.list_administration('task_namespaces', 'shop', p_limit => 1) as l), 'ann', 'what a resume erases is in its entry'
);

create role tap_shop;
select tasker.bind_role('tap_shop', '{shop,test}');
select tasker.bind_role('tap_shop', null);
select results_eq(
  $$ select e.action, e.object, e.call from pg_temp.entries('role_bindings') as e order by e.action desc, e.object $$,
  $$ values ('insert', 'tap_shop/shop', 'bind_role'), ('insert', 'tap_shop/test', 'bind_role'),
            ('delete', 'tap_shop/shop', 'bind_role'), ('delete', 'tap_shop/test', 'bind_role') $$,
  'bindings'
);

select tasker.set_setting('max_attempts', '7');
select tasker.set_setting('max_attempts', null);
select results_eq(
  $$ select l.was ->> 'value', l.becomes ->> 'value', l.call from tasker.list_administration('settings', 'max_attempts') as l order by l.entry_no $$,
  $$ values ('3', '7', 'set_setting'), ('7', '3', 'set_setting') $$, 'settings, each value'
);

select from tasker.create_token('ops', sha256('x'), 'tasker_reader', '{shop}');
select tasker.revoke_token('ops');
select results_eq(
  $$ select e.object, e.action, e.call from pg_temp.entries('access_tokens') as e $$,
  $$ values ('ops', 'insert', 'create_token'), ('ops', 'update', 'revoke_token') $$, 'tokens'
);
select is_empty($$ select from tasker.administration_log as l where l.was ? 'token_hash' or l.becomes ? 'token_hash' $$, 'the hash of a token is not in it');

select from tasker.subscribe('feed', '{"namespaces": ["shop"]}', '{"webhook": {"url": "https://hooks.example/secret"}}');
select from tasker.subscribe('feed', '{"namespaces": ["shop"]}', '{"webhook": {"url": "https://hooks.example/other"}}');
select from tasker.read_events('feed', gen_random_uuid(), 1);
select tasker_test.pass('1 minute');
select from tasker.replay_events('feed', tasker.clock() - interval '1 hour');
select tasker.unsubscribe('feed');
select results_eq(
  $$ select e.action, e.call from pg_temp.entries('subscriptions') as e $$,
  $$ values ('insert', 'subscribe'), ('update', 'subscribe'), ('update', 'replay_events'), ('delete', 'unsubscribe') $$,
  'subscriptions; reading changes nothing of them'
);

select from tasker.register_task_template('{"namespace": "shop", "name": "sale", "steps": [{"name": "a", "limit": "x"}]}');
select from tasker.register_task_template('{"namespace": "shop", "name": "sale", "steps": [{"name": "a", "limit": "x"}]}');
select tasker.retire_task_template('shop', 'sale', '0.1.0');
select results_eq(
  $$ select e.object, e.action, e.call from pg_temp.entries('named_tasks') as e $$,
  $$ values ('shop/sale/0.1.0', 'insert', 'register_task_template'), ('shop/sale/0.1.0', 'update', 'retire_task_template') $$,
  'templates; a repeated registration is no change'
);

select from tasker.setup_partitioning(p_premake => 5);
select results_eq($$ select e.action, e.call from pg_temp.entries('partition_config') as e where e.call is not null $$, $$ values ('update', 'setup_partitioning') $$, 'the set-up of partitions');
select isnt_empty($$ select from pg_temp.entries('partition_ranges') as e where e.action = 'insert' $$, 'partitions that it made');
select tasker.ensure_task_queue('tap_queue');
select tasker.ensure_task_queue('tap_queue');
select results_eq($$ select e.object, e.action, e.call from pg_temp.entries('queues') as e $$, $$ values ('tap_queue', 'insert', 'ensure_task_queue') $$, 'queues, once');

-- By the owner, not by a function.
update tasker.settings set value = '9', changed_by = 'unknown' where name = 'max_attempts';
select is(
  (select (l.call is null, l.becomes ->> 'value')::text from tasker.list_administration('settings', p_limit => 1) as l), '(t,9)',
  'a statement of the owner is logged too, without a function'
);
set local session_replication_role = replica;
update tasker.settings set value = '3' where name = 'max_attempts';
reset session_replication_role;
select is((select l.becomes ->> 'value' from tasker.list_administration('settings', p_limit => 1) as l), '3', 'also under session_replication_role');

select throws_ok(
  $$ update tasker.administration_log set login = 'ann' $$, 'TK403', 'rows of tasker.administration_log are never changed or deleted', 'entries do not change'
);
select throws_ok(
  $$ delete from tasker.administration_log $$, 'TK403', 'rows of tasker.administration_log are never changed or deleted', 'nor are they deleted'
);
select throws_ok(
  $$ truncate tasker.administration_log $$, 'TK403', 'rows of tasker.administration_log are never changed or deleted', 'nor is the log emptied'
);

-- Who did it.
grant tasker_operator to tap_shop;
set local role tap_shop;
select tasker.set_limit('shop', 'y', 1, p_actor => 'mallory-as-ann');
reset role;
select is(
  (select (l.login, l.role, l.actor)::text from tasker.list_administration('limits', 'shop/y', p_limit => 1) as l), format('(%s,tap_shop,mallory-as-ann)', session_user),
  'login and role stand beside the name that was given'
);
select throws_ok($$ select tasker.list_administration(p_limit => 0) $$, 'TK422', 'a limit of 0 is out of range', 'a bad limit is refused');
select is_empty($$ select from tasker.administration_problems() $$, 'each object is as its newest entry says');

select * from finish();
rollback;
