begin;
select plan(9);

select tasker_test.freeze();
select tasker.register_namespace('shop');
select tasker.register_namespace('bank');
select tasker.map_access('groups', 'staff');
select tasker.map_access('groups', 'shop-ops', 'tasker_operator', '{shop}');

select tasker.register_task_template('{"namespace": "shop", "name": "sale", "steps": [{"name": "a"}]}');
select tasker.register_task_template('{"namespace": "bank", "name": "loan", "steps": [{"name": "a"}]}');
select c.task_uuid as shop from tasker.create_task('shop', 'sale', '{}') as c \gset
select c.task_uuid as bank from tasker.create_task('bank', 'loan', '{}') as c \gset
select s.session_uuid as session from tasker.open_session(sha256('secret'), sha256('code'), '{"iss": "https://id.example", "sub": "248", "email": "ann@corp.example", "email_verified": true, "groups": ["staff", "shop-ops"]}', tasker.clock(), true, 'sealed') as s \gset
create role tap_web login noinherit in role tasker_server, tasker_operator;
set session authorization tap_web;

savepoint request;
set local role tasker_server;
select is((select s.person from tasker.assume_session(sha256('secret')) as s), 'person ann@corp.example (248)', 'a server assumes a session');
select is(current_user::text, 'tasker_operator', 'the person''s role is the current role');
select throws_ok(format('select tasker.get_task(%L)', :'bank'), 'TK403', 'person ann@corp.example (248) may not work in namespace "bank"', 'a task of another namespace is refused');
select throws_ok(format($$ select tasker.cancel_task(%L, 'enough', 'person bob@corp.example (1)') $$, :'shop'), 'TK422', 'the actor cannot be "person bob@corp.example (1)"', 'nobody names another person');
select ok(tasker.cancel_task(:'shop', 'enough'), 'the person cancels a task');
select is(
  (select h.actor from tasker.get_task_history(:'shop') as h where h.event = 'Cancel' and h.step_no is null), 'person ann@corp.example (248)', 'the history names the person'
);
rollback to savepoint request;
select is(current_setting('role'), 'none', 'an aborted transaction resets the role');
reset session authorization;
select tasker_test.freeze(tasker.clock() + interval '15 minutes');
set session authorization tap_web;
set local role tasker_server;
select ok((select s.refresh_due from tasker.assume_session(sha256('secret')) as s), 'a session whose refresh is due is returned');
select is(current_user::text, 'tasker_server', 'but not assumed');
reset session authorization;

select * from finish();
rollback;
