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
select is((select t.name from tasker.assume_token(sha256('bot')) as t), 'bot', 'a token is assumed');
select is(current_user::text, 'tasker_operator', 'its role is the current one');
select is(tasker.bound_namespaces(), '{shop}', 'its namespaces bound it');
select throws_ok(
  format('select tasker.get_task(%L)', :'bank'), 'TK403', 'token "bot" may not work in namespace "bank"', 'other namespaces are refused'
);
select throws_ok($$ select tasker.set_setting('notify', 'off') $$, 'TK403', 'token "bot" may not make calls that concern all namespaces', 'and what concerns all');
select ok(tasker.cancel_task(:'shop', 'enough'), 'it acts');
select is(
  (select h.actor from tasker.get_task_history(:'shop') as h where h.event = 'Cancel' and h.step_no is null), 'token bot', 'history names the token'
);
select ok(tasker.cancel_task(:'other', 'enough', 'ann'), 'for a person');
select is(
  (select h.actor from tasker.get_task_history(:'other') as h where h.event = 'Cancel' and h.step_no is null), 'ann, token bot', 'history names both'
);
rollback to savepoint request;
select is(current_setting('role'), 'none', 'an aborted transaction leaves no role');

savepoint request;
set local role tasker_server;
select count(*) from tasker.assume_token(sha256('none'));
select is_empty($$ select from tasker.list_tasks() $$, 'a token without namespaces sees nothing');
select throws_ok($$ select tasker.register_namespace('new') $$, 'TK403', 'token "none" may not work in namespace "new"', 'and makes nothing');
rollback to savepoint request;

set local role tasker_server;
select count(*) from tasker.assume_token(sha256('admin'));
select is((select count(*) from tasker.list_tasks()), 3::bigint, 'a token for all namespaces sees all');
select throws_ok($$ select tasker.assume_token(sha256('bot')) $$, '42501', null, 'and cannot become another');
reset role;
reset session authorization;
-- A stranger says that it is a token.
set local role tasker_operator;
create temporary table spoofed as select set_config('tasker.token', 'bot', true);
reset role;
create role tap_stranger login in role tasker_operator;
set session authorization tap_stranger;
set local tasker.namespaces = '*';
select tasker.cancel_task(:'bank');
select is(
  (select h.actor from tasker.get_task_history(:'bank') as h where h.event = 'Cancel' and h.step_no is null), 'tap_stranger', 'a login that is no server is not believed'
);

select * from finish();
rollback;
