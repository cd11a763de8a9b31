begin;
select plan(4);

select throws_ok($$ select tasklib.purge(now(), 'running') $$, 'TK422', 'this cannot be purged', 'running tasks');
select throws_ok($$ select tasklib.purge(now(), 'pending') $$, 'TK422', 'this cannot be purged', 'pending tasks');
select throws_ok($$ select tasklib.purge(null, 'failed') $$, 'TK422', 'this cannot be purged', 'a state without a time');
select throws_ok($$ select tasklib.purge(now(), p_limit => 0) $$, 'TK422', 'this cannot be purged', 'none');

select * from finish();
rollback;
