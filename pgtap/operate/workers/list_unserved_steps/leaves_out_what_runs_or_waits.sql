begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.register('chain', 'first', 'then first');
select tasker_test.launch('chain');
select from tasker_test.claim();
select tasker_test.pass('2 minutes');
prepare unserved as select u.handler from tasker.list_unserved_steps() as u;
select is_empty('execute unserved', 'steps that run or wait for others are left out');
select tasker_test.complete('first');
select results_eq('execute unserved', $$ values ('then') $$, 'a step that has become ready is listed');
select throws_ok($$ select tasker.list_unserved_steps('{nowhere}') $$, 'TK404', 'namespace "nowhere" does not exist', 'an unknown namespace is refused');

select * from finish();
rollback;
