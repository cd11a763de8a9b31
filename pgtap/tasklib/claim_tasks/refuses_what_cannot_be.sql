begin;
select plan(9);

select tasker_test.register_echo();

select throws_ok($$ select tasklib.claim_tasks(array['nobody'], 'w') $$, 'TK404', 'no task is registered as "nobody"', 'a name that nobody registered');
select throws_ok($$ select tasklib.claim_tasks('{}', 'w') $$, 'TK422', 'tasks cannot be claimed with these arguments', 'no names');
select throws_ok($$ select tasklib.claim_tasks(null, 'w') $$, 'TK422', 'tasks cannot be claimed with these arguments', 'null');
select throws_ok($$ select tasklib.claim_tasks(array['echo', null], 'w') $$, 'TK422', 'the name of a task is null', 'a null name');
select throws_ok($$ select tasklib.claim_tasks(array['echo'], null) $$, 'TK422', 'tasks cannot be claimed with these arguments', 'no worker');
select throws_ok($$ select tasklib.claim_tasks(array['echo'], '') $$, 'TK422', 'tasks cannot be claimed with these arguments', 'an empty one');
select throws_ok($$ select tasklib.claim_tasks(array['echo'], 'w', 0) $$, 'TK422', 'tasks cannot be claimed with these arguments', 'none');
select throws_ok($$ select tasklib.claim_tasks(array['echo'], 'w', 10001) $$, 'TK422', 'tasks cannot be claimed with these arguments', 'too many');
select throws_ok($$ select tasklib.claim_tasks(array['echo'], 'w', 1, 0) $$, 'TK422', 'tasks cannot be claimed with these arguments', 'a lock of no time');

select * from finish();
rollback;
