begin;
select plan(9);

select tasker_test.register_echo();

select throws_ok($$ select tasklib.claim_tasks(array['nobody'], 'w') $$, 'TK404', 'no task is registered as "nobody"', 'a name that nobody registered');
select throws_ok($$ select tasklib.claim_tasks('{}', 'w') $$, 'TK422', 'tasks cannot be claimed like this', 'no names');
select throws_ok($$ select tasklib.claim_tasks(null, 'w') $$, 'TK422', 'tasks cannot be claimed like this', 'null');
select throws_ok($$ select tasklib.claim_tasks(array['echo', null], 'w') $$, 'TK422', 'no name of a task is given', 'a null name');
select throws_ok($$ select tasklib.claim_tasks(array['echo'], null) $$, 'TK422', 'tasks cannot be claimed like this', 'no worker');
select throws_ok($$ select tasklib.claim_tasks(array['echo'], '') $$, 'TK422', 'tasks cannot be claimed like this', 'an empty one');
select throws_ok($$ select tasklib.claim_tasks(array['echo'], 'w', 0) $$, 'TK422', 'tasks cannot be claimed like this', 'none');
select throws_ok($$ select tasklib.claim_tasks(array['echo'], 'w', 10001) $$, 'TK422', 'tasks cannot be claimed like this', 'too many');
select throws_ok($$ select tasklib.claim_tasks(array['echo'], 'w', 1, 0) $$, 'TK422', 'tasks cannot be claimed like this', 'a lock of no time');

select * from finish();
rollback;
