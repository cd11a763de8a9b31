begin;
select plan(8);

select tasker_test.freeze();
create role tap_strong in role tasker_reader, pg_read_all_data;
select throws_ok($$ select tasker.map_access('groups', 'a', 'missing') $$, 'TK404', 'role "missing" does not exist', 'an unknown role is refused');
select throws_ok($$ select tasker.map_access('groups', 'a', null) $$, 'TK404', 'role null does not exist', 'a null role is refused');
select throws_ok($$ select tasker.map_access('groups', 'a', 'tap_strong') $$, 'TK422', 'a person cannot have role "tap_strong": it is a member of pg_read_all_data', 'a role with other rights is refused');
select throws_ok($$ select tasker.map_access('', 'a') $$, 'TK422', 'the name of a claim has 1 to 200 characters', 'an empty claim is refused');
select throws_ok($$ select tasker.map_access('groups', null) $$, 'TK422', 'the value of a claim has 1 to 500 characters', 'a null value is refused');
select throws_ok($$ select tasker.map_access('groups', repeat('a', 501)) $$, 'TK422', 'the value of a claim has 1 to 500 characters', 'a long value is refused');
select throws_ok($$ select tasker.map_access('groups', 'a', p_namespaces => null) $$, 'TK422', 'the namespaces of a person are a list', 'null namespaces are refused');
select throws_ok($$ select tasker.map_access('groups', 'a', p_namespaces => '{nowhere}') $$, 'TK404', 'namespace "nowhere" does not exist', 'an unknown namespace is refused');

select * from finish();
rollback;
