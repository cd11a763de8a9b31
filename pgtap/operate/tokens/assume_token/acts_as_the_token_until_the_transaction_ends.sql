begin;
select plan(15);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "shop", "name": "sale", "steps": [{"name": "a"}]}');
select tasker.register_task_template('{"namespace": "bank", "name": "loan", "steps": [{"name": "a"}]}');
select c.task_uuid as shop from tasker.create_task('shop', 'sale', '{}') as c \gset
select c.task_uuid as bank from tasker.create_task('bank', 'loan', '{}') as c \gset
select c.task_uuid as other from tasker.create_task('shop', 'sale', '{"other": true}') as c \gset
select tasker.create_token('bot', sha256('bot'), 'tasker_operator', '{shop}');
select tasker.create_token('none', sha256('none'), 'tasker_operator', '{}');
select tasker.create_token('admin', sha256('admin'), 'tasker_operator', '{*}');
create role tap_web login noinherit in role tasker_server, tasker_operator;
set session authorization tap_web;

savepoint request;
set local role tasker_server;
select is((select t.name from tasker.assume_token(sha256('bot')) as t), 'bot', 'a server assumes a token');
select is(current_user::text, 'tasker_operator', 'the token''s role is the current role');
select is(tasker.bound_namespaces(), '{shop}', 'the token''s namespaces bind the session');
select throws_ok(
  format('select tasker.get_task(%L)', :'bank'), 'TK403', 'token "bot" may not work in namespace "bank"', 'a task of another namespace is refused'
);
select throws_ok($$ select tasker.set_setting('notify', 'off') $$, 'TK403', 'token "bot" may not make calls that concern all namespaces', 'a call that concerns all namespaces is refused');
select ok(tasker.cancel_task(:'shop', 'enough'), 'the token cancels a task');
select is(
  (select h.actor from tasker.get_task_history(:'shop') as h where h.event = 'Cancel' and h.step_no is null), 'token bot', 'the history names the token'
);
select ok(tasker.cancel_task(:'other', 'enough', 'ann'), 'the token cancels a task for a person');
select is(
  (select h.actor from tasker.get_task_history(:'other') as h where h.event = 'Cancel' and h.step_no is null), 'ann, token bot', 'the history names the person and the token'
);
rollback to savepoint request;
select is(current_setting('role'), 'none', 'an aborted transaction resets the role');

savepoint request;
set local role tasker_server;
select count(*) from tasker.assume_token(sha256('none'));
select is_empty($$ select from tasker.list_tasks() $$, 'a token without namespaces sees no task');
select throws_ok($$ select tasker.register_namespace('new') $$, 'TK403', 'token "none" may not work in namespace "new"', 'a token without namespaces cannot register one');
rollback to savepoint request;

set local role tasker_server;
select count(*) from tasker.assume_token(sha256('admin'));
select is((select count(*) from tasker.list_tasks()), 3::bigint, 'a token for all namespaces sees all tasks');
select throws_ok($$ select tasker.assume_token(sha256('bot')) $$, '42501', null, 'a session with a token cannot assume another');
reset role;
reset session authorization;
-- A login that is not a server sets the token's name itself.
set local role tasker_operator;
create temporary table spoofed as select set_config('tasker.token', 'bot', true);
reset role;
create role tap_stranger login in role tasker_operator;
set session authorization tap_stranger;
set local tasker.namespaces = '*';
select tasker.cancel_task(:'bank');
select is(
  (select h.actor from tasker.get_task_history(:'bank') as h where h.event = 'Cancel' and h.step_no is null), 'tap_stranger', 'the history ignores a token set by a login that is not a server'
);

select * from finish();
rollback;
