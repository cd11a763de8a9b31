begin;
select plan(14);

select tasker_test.freeze();
select from tasker.register_namespace('shop');
create role tap_shop;
select tasker.bind_role('tap_shop', '{shop}');
select from tasker.create_token('ops', sha256('x'), 'tasker_reader', '{shop}');
select tasker.set_limit('shop', 'api', 1);
select tasker.set_setting('max_attempts', '7');
create function pg_temp.problems() returns setof text language sql as $$
  select p.object || ' ' || p.problem from tasker.check_integrity() as p
$$;
select is_empty('select p.* from pg_temp.problems() as p', 'nothing is wrong');
alter role tap_shop rename to tap_renamed;
select is_empty('select p.* from pg_temp.problems() as p', 'a role that was renamed is the same');
select tasker.bind_role('tap_renamed', '{shop}');
select is_empty('select p.* from pg_temp.problems() as p', 'and can be bound again');

alter table tasker.role_bindings disable trigger user;
delete from tasker.role_bindings;
select set_has(
  'select p.* from pg_temp.problems() as p', $$ values ('role_bindings lacks "tap_renamed/shop", which the log of administration has') $$, 'bindings that were deleted'
);
select set_has(
  'select p.* from pg_temp.problems() as p', $$ values ('role_bindings lacks the enabled trigger role_bindings_log_change') $$, 'and the trigger that is off'
);
alter table tasker.access_tokens disable trigger user;
update tasker.access_tokens set role = 'tasker_operator';
select set_has(
  'select p.* from pg_temp.problems() as p', $$ values ('access_tokens has "ops" in another form than the log of administration') $$, 'the role of a token'
);
alter table tasker.limits disable trigger user;
insert into tasker.limits (namespace, name, created_by, updated_by) values ('shop', 'more', 'x', 'x');
select set_has(
  'select p.* from pg_temp.problems() as p', $$ values ('limits has "shop/more", which the log of administration does not have') $$, 'a limit that was added'
);
alter table tasker.settings disable trigger settings_log_change;
update tasker.settings set value = '9' where name = 'max_attempts';
select set_has(
  'select p.* from pg_temp.problems() as p', $$ values ('settings has "max_attempts" in another form than the log of administration') $$, 'a setting'
);

select tasker_test.create_task();
select throws_ok(
  $$ update tasker.tasks set login = 'ann' $$, 'TK403', 'rows of tasker.tasks never change the columns that they were created with', 'the login of a task never changes'
);
select throws_ok(
  $$ update tasker.tasks set role = 'ann' $$, 'TK403', 'rows of tasker.tasks never change the columns that they were created with', 'nor does its role'
);
select throws_ok(
  $$ update tasker.tasks set creator_namespaces = null $$, 'TK403', 'rows of tasker.tasks never change the columns that they were created with', 'nor do the namespaces of its creator'
);
select tasker_test.run('top', 'left', 'right', 'bottom');
update tasker.tasks set completed_at = completed_at - interval '1 day';
select set_has(
  $$ select p from pg_temp.problems() as p where p like 'tasks ended at %' $$,
  $$ select format('tasks ended at %s, when its log has no transition', t.completed_at) from tasker.tasks as t $$, 'the time of an end'
);

insert into tasker.task_identities (identity_hash, task_uuid)
select sha256('gone'), tasker.mint_task_uuid();
select set_has(
  'select p.* from pg_temp.problems() as p', $$ values ('task_identities leads to a task that does not exist, in a partition that does') $$,
  'the identity of a task that is gone'
);
alter table tasker.partition_ranges disable trigger user;
update tasker.partition_ranges set evacuations = 1;
select is_empty(
  $$ select p from pg_temp.problems() as p where p like 'task_identities %' $$, 'an evacuation drops tasks whose identities are collected later'
);

select * from finish();
rollback;
