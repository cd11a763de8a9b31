begin;
select plan(4);

select tasker_test.register_echo();
select throws_ok($$ select tasklib.restrict_task('nobody', '{}') $$, 'TK404', 'no task is registered as "nobody"', 'a name that nobody registered');
select throws_ok($$ select tasklib.restrict_task('echo', array['no such role']) $$, 'TK404', 'role "no such role" does not exist', 'a role that is not there');
select throws_ok($$ select tasklib.restrict_task('echo', null) $$, 'TK422', 'the roles are null', 'null');
select throws_ok($$ select tasklib.restrict_task('echo', array[null]) $$, 'TK404', 'role "" does not exist', 'a null role');

select * from finish();
rollback;
