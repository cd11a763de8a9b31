begin;
select plan(9);

select tasker_test.freeze();
select tasker_test.register('one', 'a');
select coalesce(max(l.entry_no), 0) as before from tasker.administration_log as l \gset
select set_config('tap.before', :'before', true);
create function pg_temp.entries() returns table (kind text, call text, actor text, reason text) language sql as $$
  select distinct l.kind, l.call, l.actor, l.reason from tasker.list_administration(p_limit => 1000) as l
   where l.entry_no > current_setting('tap.before')::bigint
$$;

create role tap_shop;
select from tasker.register_namespace('shop', p_transport => 'pgmq', p_actor => 'ann', p_reason => '1');
select tasker.pause_namespace('shop', 'ann', '2');
select tasker.resume_namespace('shop', 'ben', '3');
select tasker.bind_role('tap_shop', '{shop}', 'ann', '4');
select from tasker.set_limit('shop', 'api', 3, p_actor => 'ann', p_reason => '5');
select tasker.drop_limit('shop', 'api', 'ann', '6');
select from tasker.set_schedule('test', 'nightly', 'one', p_every_seconds => 60, p_actor => 'ann', p_reason => '7');
select tasker.pause_schedule('test', 'nightly', 'ann', '8');
select tasker.resume_schedule('test', 'nightly', 'ben', '9');
select tasker_test.pass('1 hour');
select from tasker.backfill_schedule('test', 'nightly', tasker.clock() - interval '30 minutes', tasker.clock(), 'allow', 'ann', '10');
select tasker.delete_schedule('test', 'nightly', 'ann', '11');
select tasker.set_setting('max_attempts', '7', 'ann', '12');
select from tasker.create_token('ops', sha256('x'), 'tasker_reader', '{shop}', null, 'ann', '13');
select tasker.revoke_token('ops', 'ben', '14');
select from tasker.subscribe('feed', '{"namespaces": ["shop"]}', p_actor => 'ann', p_reason => '15');
select tasker_test.pass('1 minute');
select from tasker.replay_events('feed', tasker.clock() - interval '1 hour', 'ben', '16');
select tasker.unsubscribe('feed', 'ann', '17');
select from tasker.register_task_template('{"namespace": "park", "name": "sale", "steps": [{"name": "a"}]}', 'ann', '18');
select tasker.retire_task_template('park', 'sale', '0.1.0', 'ann', '19');
select tasker.ensure_task_queue('tap_queue', 'ann', '20');
select from tasker.setup_partitioning(p_premake => 5, p_actor => 'ann', p_reason => '21');
select results_eq(
  $$ select e.call, string_agg(distinct concat_ws(' ', e.actor, e.reason), ', ') from pg_temp.entries() as e group by e.call order by min(e.reason::integer), e.call $$,
  $$ values
    ('ensure_task_queue', 'ann 1, ann 20'), ('register_namespace', 'ann 1, ann 18'), ('pause_namespace', 'ann 2'), ('resume_namespace', 'ben 3'),
    ('bind_role', 'ann 4'), ('set_limit', 'ann 5'), ('drop_limit', 'ann 6'), ('set_schedule', 'ann 7'), ('pause_schedule', 'ann 8'),
    ('resume_schedule', 'ben 9'), ('backfill_schedule', 'ann 10'), ('delete_schedule', 'ann 11'), ('set_setting', 'ann 12'),
    ('create_token', 'ann 13'), ('revoke_token', 'ben 14'), ('subscribe', 'ann 15'), ('replay_events', 'ben 16'), ('unsubscribe', 'ann 17'),
    ('register_task_template', 'ann 18'), ('retire_task_template', 'ann 19'), ('setup_partitioning', 'ann 21') $$,
  'each function keeps the name and the reason that its caller gives, also in what it calls'
);
select is_empty($$ select from pg_temp.entries() as e where e.call is null or e.reason is null $$, 'no entry is without them');

-- Neither outlives the call, and no session can give them otherwise.
select tasker.set_setting('max_attempts', '8');
select is((select l.reason is null from tasker.list_administration('settings', p_limit => 1) as l), true, 'the next call has no reason');
select set_config('tasker.act', E'mallory\nbecause', true);
update tasker.settings set value = '9', changed_by = 'root' where name = 'max_attempts';
select is(
  (select (l.actor, l.reason)::text from tasker.list_administration('settings', p_limit => 1) as l), '(root,)', 'a setting of the session is not believed'
);
select tasker.set_setting('max_attempts', '10', p_reason => 'more');
select is((select (l.actor is distinct from 'mallory', l.reason)::text from tasker.list_administration('settings', p_limit => 1) as l), '(t,more)', 'nor within a call');

select throws_ok($$ select tasker.set_setting('max_attempts', '3', repeat('x', 201)) $$, 'TK413', 'the actor is longer than 200 characters', 'a long name is refused');
select throws_ok($$ select tasker.set_setting('max_attempts', '3', E'a\nb') $$, 'TK422', 'the actor has a line break or another control character', 'a name of two lines is refused');
select throws_ok($$ select tasker.set_setting('max_attempts', '3', p_reason => repeat('x', 1001)) $$, 'TK413', 'the reason is longer than 1000 characters', 'a long reason is refused');
select is(tasker.get_setting('max_attempts'), '10', 'and nothing has changed');

select * from finish();
rollback;
