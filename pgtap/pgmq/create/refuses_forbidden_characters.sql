begin;
select plan(6);

create temporary table before as select c.oid from pg_class as c where c.relnamespace = 'pgmq'::regnamespace;

select throws_ok($$ select pgmq.create('tap$') $$, 'P0001', 'queue name contains invalid characters: $, ;, --, or \''', 'a dollar');
select throws_ok($$ select pgmq.create('tap;drop table pgmq.meta') $$, 'P0001', 'queue name contains invalid characters: $, ;, --, or \''', 'a semicolon');
select throws_ok($$ select pgmq.create('tap--') $$, 'P0001', 'queue name contains invalid characters: $, ;, --, or \''', 'a comment');
select throws_ok($$ select pgmq.create('tap''') $$, 'P0001', 'queue name contains invalid characters: $, ;, --, or \''', 'a quote');
select throws_ok($$ select pgmq.create(null) $$, '22004', null, 'null');
select is_empty(
  $$ select c.oid::regclass from pg_class as c where c.relnamespace = 'pgmq'::regnamespace and c.oid not in (select b.oid from before as b) $$,
  'nothing was made'
);

select * from finish();
rollback;
