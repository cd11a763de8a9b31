begin;
select plan(9);

select tasker_test.register_echo();

select throws_ok($$ select tasklib.claim_tasks(array['unknown'], 'w') $$, 'TK404', 'no task is registered as "unknown"', 'a name that is not registered is refused');
select throws_ok($$ select tasklib.claim_tasks('{}', 'w') $$, 'TK422', 'tasks cannot be claimed with these arguments', 'an empty list of names is refused');
select throws_ok($$ select tasklib.claim_tasks(null, 'w') $$, 'TK422', 'tasks cannot be claimed with these arguments', 'a null list of names is refused');
select throws_ok($$ select tasklib.claim_tasks(array['echo', null], 'w') $$, 'TK422', 'the name of a task is null', 'a null name is refused');
select throws_ok($$ select tasklib.claim_tasks(array['echo'], null) $$, 'TK422', 'tasks cannot be claimed with these arguments', 'a null worker is refused');
select throws_ok($$ select tasklib.claim_tasks(array['echo'], '') $$, 'TK422', 'tasks cannot be claimed with these arguments', 'an empty worker is refused');
select throws_ok($$ select tasklib.claim_tasks(array['echo'], 'w', 0) $$, 'TK422', 'tasks cannot be claimed with these arguments', 'a limit of 0 is refused');
select throws_ok($$ select tasklib.claim_tasks(array['echo'], 'w', 10001) $$, 'TK422', 'tasks cannot be claimed with these arguments', 'a limit of more than 10,000 is refused');
select throws_ok($$ select tasklib.claim_tasks(array['echo'], 'w', 1, 0) $$, 'TK422', 'tasks cannot be claimed with these arguments', 'a lock of 0 seconds is refused');

select * from finish();
rollback;
