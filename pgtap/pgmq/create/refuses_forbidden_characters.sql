begin;
select plan(6);

create temporary table before as select c.oid from pg_class as c where c.relnamespace = 'pgmq'::regnamespace;

select throws_ok($$ select pgmq.create('tap$') $$, 'P0001', 'queue name contains invalid characters: $, ;, --, or \''', 'a name with a dollar sign is refused');
select throws_ok($$ select pgmq.create('tap;drop table pgmq.meta') $$, 'P0001', 'queue name contains invalid characters: $, ;, --, or \''', 'a name with a semicolon is refused');
select throws_ok($$ select pgmq.create('tap--') $$, 'P0001', 'queue name contains invalid characters: $, ;, --, or \''', 'a name with a comment sign is refused');
select throws_ok($$ select pgmq.create('tap''') $$, 'P0001', 'queue name contains invalid characters: $, ;, --, or \''', 'a name with a quote is refused');
select throws_ok($$ select pgmq.create(null) $$, '22004', null, 'a null name is refused');
select is_empty(
  $$ select c.oid::regclass from pg_class as c where c.relnamespace = 'pgmq'::regnamespace and c.oid not in (select b.oid from before as b) $$,
  'no relation is created'
);

select * from finish();
rollback;
