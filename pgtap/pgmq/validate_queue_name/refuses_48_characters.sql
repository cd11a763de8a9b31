begin;
select plan(3);

select lives_ok($$ select pgmq.validate_queue_name('tap') $$, 'a name');
select lives_ok($$ select pgmq.validate_queue_name(repeat('x', 47)) $$, '47');
select throws_ok($$ select pgmq.validate_queue_name(repeat('x', 48)) $$, 'P0001', 'queue name is too long, maximum length is 47 characters', '48');

select * from finish();
rollback;
