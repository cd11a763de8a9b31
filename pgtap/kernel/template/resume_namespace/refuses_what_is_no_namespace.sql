begin;
select plan(3);

select throws_ok('select tasker.resume_namespace(null)', 'TK404', 'namespace null does not exist', 'a null name is refused');
select throws_ok($$ select tasker.resume_namespace('') $$, 'TK404', 'namespace "" does not exist', 'an empty name is refused');
select throws_ok($$ select tasker.resume_namespace('nowhere') $$, 'TK404', 'namespace "nowhere" does not exist', 'an unknown name is refused');

select * from finish();
rollback;
