begin;
select plan(4);

select lives_ok(format('select pgmq.create(%L)', repeat('x', 47)), '47');
select has_table('pgmq'::name, ('q_' || repeat('x', 47))::name, 'are a queue');
select throws_ok(
  format('select pgmq.create(%L)', repeat('x', 48)),
  'P0001', 'queue name is too long, maximum length is 47 characters', '48 are refused'
);
select hasnt_table('pgmq'::name, ('q_' || repeat('x', 48))::name, 'and make nothing');

select * from finish();
rollback;
