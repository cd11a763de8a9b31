begin;
select plan(3);

select lives_ok($$ select pgmq.validate_queue_name('tap') $$, 'a short name is accepted');
select lives_ok($$ select pgmq.validate_queue_name(repeat('x', 47)) $$, 'a name of 47 characters is accepted');
select throws_ok($$ select pgmq.validate_queue_name(repeat('x', 48)) $$, 'P0001', 'queue name is too long, maximum length is 47 characters', 'a name of 48 characters is refused');

select * from finish();
rollback;
