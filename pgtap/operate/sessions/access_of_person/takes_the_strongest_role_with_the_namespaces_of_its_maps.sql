begin;
select plan(12);

select tasker_test.freeze();
select tasker.register_namespace('shop');
select tasker.register_namespace('bank');
select tasker.map_access('groups', 'staff');
select tasker.map_access('groups', 'shop-ops', 'tasker_operator', '{shop}');

select tasker.map_access('groups', 'bank-ops', 'tasker_operator', '{bank}');
select tasker.map_access('realm_access.roles', 'writer', 'tasker_submitter');
select tasker.map_access('https://corp.example/level', '3', 'tasker_worker', '{}');
select tasker.map_access('email', 'ann@corp.example', 'tasker_orchestrator');
select tasker.map_access('hd', '*', 'tasker_submitter', '{bank}');
create function pg_temp.access(p_claims text) returns text language sql as $f$
  select a.role_name || ' ' || a.namespaces::text from tasker.access_of_person('{"iss": "i", "sub": "s"}' || p_claims::jsonb) as a
$f$;
select is(pg_temp.access('{"groups": ["staff"]}'), 'tasker_reader {*}', 'one of the values of a claim is enough');
select is(pg_temp.access('{"groups": "staff"}'), 'tasker_reader {*}', 'a claim may be one value');
select is(pg_temp.access('{"groups": ["staff", "shop-ops"]}'), 'tasker_operator {shop}', 'the strongest role counts, in its own namespaces');
select is(pg_temp.access('{"groups": ["bank-ops", "shop-ops", "staff"]}'), 'tasker_operator {bank,shop}', 'the namespaces of all its maps count');
select is(pg_temp.access('{"realm_access": {"roles": ["writer"]}}'), 'tasker_submitter {*}', 'dots lead into an object');
select is(pg_temp.access('{"https://corp.example/level": 3}'), 'tasker_worker {}', 'a name with dots may be a claim, and a number its value');
select is(pg_temp.access('{"hd": "any.example"}'), 'tasker_submitter {bank}', 'the value * is any value');
select is(pg_temp.access('{"email": "ann@corp.example", "email_verified": true}'), 'tasker_orchestrator {*}', 'a verified address counts');
select throws_ok($$ select pg_temp.access('{"email": "ann@corp.example"}') $$, 'TK403', 'person ann@corp.example (s) has no access: no access map fits', 'an address that is not verified gives nothing');
select throws_ok($$ select pg_temp.access('{"groups": {"staff": true}}') $$, 'TK403', 'person s has no access: no access map fits', 'the keys of an object are no values');
select throws_ok($$ select pg_temp.access('{}') $$, 'TK403', 'person s has no access: no access map fits', 'no claims give no access');
select throws_ok($$ select tasker.access_of_person('{"iss": "i"}') $$, 'TK422', 'the claim sub is not the name of a person', 'a person has a subject');

select * from finish();
rollback;
