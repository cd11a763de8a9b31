begin;
select plan(3);

select throws_ok('select tasker.resume_namespace(null)', 'TK404', 'namespace null does not exist', 'null');
select throws_ok($$ select tasker.resume_namespace('') $$, 'TK404', 'namespace "" does not exist', 'an empty name');
select throws_ok($$ select tasker.resume_namespace('nowhere') $$, 'TK404', 'namespace "nowhere" does not exist', 'an unknown one');

select * from finish();
rollback;
