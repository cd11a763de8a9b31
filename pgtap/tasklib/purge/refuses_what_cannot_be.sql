begin;
select plan(4);

select throws_ok($$ select tasklib.purge(now(), 'running') $$, 'TK422', 'tasks cannot be purged with these arguments', 'the state "running" is refused');
select throws_ok($$ select tasklib.purge(now(), 'pending') $$, 'TK422', 'tasks cannot be purged with these arguments', 'the state "pending" is refused');
select throws_ok($$ select tasklib.purge(null, 'failed') $$, 'TK422', 'tasks cannot be purged with these arguments', 'a null time is refused');
select throws_ok($$ select tasklib.purge(now(), p_limit => 0) $$, 'TK422', 'tasks cannot be purged with these arguments', 'a limit of 0 is refused');

select * from finish();
rollback;
