begin;
select plan(4);

select tasker_test.register_echo();
select throws_ok($$ select tasklib.restrict_task('unknown', '{}') $$, 'TK404', 'no task is registered as "unknown"', 'a name that is not registered is refused');
select throws_ok($$ select tasklib.restrict_task('echo', array['no such role']) $$, 'TK404', 'role "no such role" does not exist', 'an unknown role is refused');
select throws_ok($$ select tasklib.restrict_task('echo', null) $$, 'TK422', 'the roles are null', 'a null array is refused');
select throws_ok($$ select tasklib.restrict_task('echo', array[null]) $$, 'TK404', 'role "" does not exist', 'a null role is refused');

select * from finish();
rollback;
