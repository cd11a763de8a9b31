begin;
select plan(4);

select tasker_test.freeze('2026-03-01 12:00+00');
select tasker_test.freeze_with_partitions('2026-03-01 12:00+00');
select tasker_test.limited('tenant', '$.key');
select tasker.set_limit('test', 'tenant', 2, 100, 60, 10);
select tasker_test.make_limited(3, 'a');
select tasker_test.make_limited(1, 'b');
select tasker_test.claim(1);
select tasker_test.pass('90 seconds');
select results_eq(
  'select l.namespace, l.name, l.concurrency, l.rate, l.per_seconds, l.burst, l.in_use, l.waiting, l.keys, l.oldest_seconds, l.handlers from tasker.list_limits() as l',
  $$ values ('test', 'tenant', 2, 100, 60, 10, 1::bigint, 3::bigint, 2::bigint, 90::double precision, '{pay}'::text[]) $$, 'list_limits counts one running step and three waiting ones'
);
select is_empty($$ select tasker.list_limits('nowhere') $$, 'another namespace has no limits');
create role bound_reader in role tasker_reader;
select tasker.register_namespace('other');
select tasker.bind_role('bound_reader', '{other}');
set local role bound_reader;
select is_empty('select tasker.list_limits()', 'a bound caller sees only the limits of its namespaces');
select throws_ok($$ select tasker.list_limits('test') $$, 'TK403', 'role "bound_reader" may not work in namespace "test"', 'a bound caller may not name another namespace');
reset role;

select * from finish();
rollback;
