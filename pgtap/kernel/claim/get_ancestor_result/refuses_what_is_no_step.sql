begin;
select plan(2);

select throws_ok($$ select tasker.get_ancestor_result('01980000-0000-7000-8000-000000000001', 'a') $$, 'TK404', 'step 01980000-0000-7000-8000-000000000001 does not exist', 'an unknown step is refused');
select throws_ok($$ select tasker.get_ancestor_result(null, 'a') $$, 'TK404', 'step null does not exist', 'a null step is refused');

select * from finish();
rollback;
