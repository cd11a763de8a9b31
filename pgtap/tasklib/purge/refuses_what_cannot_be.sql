begin;
select plan(4);

select throws_ok($$ select tasklib.purge(now(), 'running') $$, 'TK422', 'tasks cannot be purged with these arguments', 'running tasks');
select throws_ok($$ select tasklib.purge(now(), 'pending') $$, 'TK422', 'tasks cannot be purged with these arguments', 'pending tasks');
select throws_ok($$ select tasklib.purge(null, 'failed') $$, 'TK422', 'tasks cannot be purged with these arguments', 'a state without a time');
select throws_ok($$ select tasklib.purge(now(), p_limit => 0) $$, 'TK422', 'tasks cannot be purged with these arguments', 'none');

select * from finish();
rollback;
