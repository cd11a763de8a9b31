begin;
select plan(4);

select tasker_test.take_turn();

select tasker_test.register_diamond();
select throws_ok($$ select tasker.create_task('nowhere', 'diamond') $$, 'TK404', null, 'an unknown namespace is refused');
select throws_ok($$ select tasker.create_task('test', 'square') $$, 'TK404', null, 'an unknown template is refused');
select throws_ok($$ select tasker.create_task('test', 'diamond', p_version => '9') $$, 'TK404', null, 'an unknown version is refused');
select throws_ok($$ select tasker.create_task(null, null) $$, 'TK404', null, 'null names are refused');

select * from finish();
rollback;
