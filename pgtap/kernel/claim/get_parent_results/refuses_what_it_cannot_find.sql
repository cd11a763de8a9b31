begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.launch();
select throws_ok($$ select tasker.get_parent_results('01980000-0000-7000-8000-000000000001') $$, 'TK404', 'step 01980000-0000-7000-8000-000000000001 does not exist', 'an unknown step is refused');
select throws_ok('select tasker.get_parent_results(null)', 'TK404', 'step null does not exist', 'a null step is refused');
select throws_ok($$ select tasker.get_parent_results(tasker_test.the_step('bottom'), 0, 0) $$, 'TK422', 'a limit of 0 is out of range', 'a limit of zero is refused');
select throws_ok($$ select tasker.get_parent_results(tasker_test.the_step('bottom'), 0, 10001) $$, 'TK422', 'a limit of 10001 is out of range', 'a limit that is too large is refused');

select * from finish();
rollback;
