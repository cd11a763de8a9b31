begin;
select plan(9);

select tasker_test.freeze();
select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
create function pg_temp.entries(p_kind text) returns table (object text, action text, call text, actor text, reason text) language sql as $$
  select l.object, l.action, l.call, l.actor, l.reason from tasker.list_administration(p_kind, p_limit => 1000) as l order by l.entry_no
$$;

select tasklib.set_setting('max_retries', '5', 'ann', 'the bank is slow');
select tasklib.set_setting('max_retries', '5', 'ben', 'again');
select tasklib.set_setting('max_retries', null);
select results_eq(
  $$ select * from pg_temp.entries('tasklib.settings') $$,
  $$ values ('max_retries', 'update', 'tasklib.set_setting', 'ann', 'the bank is slow'), ('max_retries', 'update', 'tasklib.set_setting', session_user::text collate "default", null) $$,
  'settings of tasklib: each change, none where nothing changes'
);
select is(
  (select (l.was ->> 'value', l.becomes ->> 'value', l.login)::text from tasker.list_administration('tasklib.settings', 'max_retries') as l where l.reason is not null),
  format('(3,5,%s)', session_user), 'with what it was, what it is, and the login'
);

select from tasklib.register_task('mail', '{"concurrency_limit": 3}', 'ann', 'new');
select from tasklib.register_task('mail', '{"concurrency_limit": 3}');
select tasklib.pause_task('mail', 'ben', 'the server is down');
select tasklib.resume_task('mail', 'cat', 'it is up');
select from tasklib.restrict_task('mail', '{tasklib_worker}', 'ann', 'only ours');
select results_eq(
  $$ select * from pg_temp.entries('tasklib.registered_tasks') $$,
  $$ values ('mail', 'insert', 'tasklib.register_task', 'ann', 'new'), ('mail', 'update', 'tasklib.register_task', 'ann', 'new'),
            ('mail', 'update', 'tasklib.pause_task', 'ben', 'the server is down'), ('mail', 'update', 'tasklib.resume_task', 'cat', 'it is up'),
            ('mail', 'update', 'tasklib.restrict_task', 'ann', 'only ours') $$,
  'names, their options, pauses and roles'
);

select from tasklib.schedule_task('nightly', 'mail', '0 2 * * *', p_actor => 'ann', p_reason => 'the report');
select from tasklib.schedule_task('nightly', 'mail', '0 2 * * *');
select from tasklib.schedule_task('nightly', 'mail', '0 3 * * *');
select tasklib.unschedule_task('nightly', 'ben', 'nobody reads it');
select results_eq(
  $$ select e.object, e.action, e.call, e.reason from pg_temp.entries('tasklib.schedules') as e $$,
  $$ values ('nightly', 'insert', 'tasklib.schedule_task', 'the report'), ('nightly', 'update', 'tasklib.schedule_task', null),
            ('nightly', 'delete', 'tasklib.unschedule_task', 'nobody reads it') $$,
  'schedules'
);

-- What tasklib writes while it works is no change.
select from tasklib.schedule_task('often', 'mail', '* * * * *');
select count(*) as before from tasker.administration_log \gset
select tasker_test.freeze_tasklib('2026-03-01 13:00+00');
select isnt_empty($$ select from tasklib.fire_schedules() as f where f > 0 $$, 'a schedule fires');
select from tasklib.submit_task('mail', p_limit_key => 'k');
select is((select count(*) from tasker.administration_log), :before::bigint, 'ticks and limit keys write nothing into the log');

select is_empty($$ select from tasker.administration_problems() $$, 'each object is as its newest entry says');
update tasklib.schedules as s set tick_count = 7;
select is_empty($$ select from tasker.administration_problems() $$, 'a count of ticks is no part of it');
alter table tasklib.registered_tasks disable trigger user;
update tasklib.registered_tasks as r set allowed_roles = '{tasklib_operator}';
select results_eq(
  $$ select p.object, p.problem from tasker.administration_problems() as p $$,
  $$ values ('tasklib.registered_tasks', 'has "mail" in another form than the log of administration') $$,
  'a change with the triggers off is found'
);

select * from finish();
rollback;
