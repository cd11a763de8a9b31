begin;
select plan(4);

select lives_ok(format('select pgmq.create(%L)', repeat('x', 47)), 'a name of 47 characters is accepted');
select has_table('pgmq'::name, ('q_' || repeat('x', 47))::name, 'the queue''s table is created');
select throws_ok(
  format('select pgmq.create(%L)', repeat('x', 48)),
  'P0001', 'queue name is too long, maximum length is 47 characters', 'a name of 48 characters is refused'
);
select hasnt_table('pgmq'::name, ('q_' || repeat('x', 48))::name, 'no table is created for it');

select * from finish();
rollback;
