begin;
select plan(4);

select tasker_test.take_turn();

select tasker_test.register_diamond();
select throws_ok($$ select tasker.create_task('nowhere', 'diamond') $$, 'TK404', 'template "nowhere/diamond" does not exist', 'an unknown namespace is refused');
select throws_ok($$ select tasker.create_task('test', 'square') $$, 'TK404', 'template "test/square" does not exist', 'an unknown template is refused');
select throws_ok($$ select tasker.create_task('test', 'diamond', p_version => '9') $$, 'TK404', 'template "test/diamond" version "9" does not exist', 'an unknown version is refused');
select throws_ok($$ select tasker.create_task(null, null) $$, 'TK404', 'the namespace of the template is null', 'null names are refused');

select * from finish();
rollback;
