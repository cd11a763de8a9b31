begin;
select plan(2);

select tasker_test.freeze();
select tasker.register_namespace('shop');
select tasker.register_namespace('bank');
select tasker.map_access('groups', 'staff');
select tasker.map_access('groups', 'shop-ops', 'tasker_operator', '{shop}');
select s.session_uuid as session from tasker.open_session(sha256('secret'), sha256('code'), '{"iss": "https://id.example", "sub": "248", "email": "ann@corp.example", "email_verified": true, "groups": ["staff", "shop-ops"]}', tasker.clock(), true, 'sealed') as s \gset

select tasker_test.freeze(tasker.clock() + interval '30 days 12 hours');
select tasker.open_session(sha256('b'), sha256('b'), '{"iss": "i", "sub": "s", "groups": "staff"}');
select is((select count(*) from tasker.list_sessions(true)), 2::bigint, 'a session stays listed for a month');
select tasker_test.freeze(tasker.clock() + interval '1 second');
select tasker.open_session(sha256('c'), sha256('c'), '{"iss": "i", "sub": "s", "groups": "staff"}');
select is((select count(*) from tasker.list_sessions(true) as s where s.subject = '248'), 0::bigint, 'then it is deleted');

select * from finish();
rollback;
