begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.register('one', 'charge');
select throws_ok($$ select tasker.resume_template('test', 'oen') $$, 'TK404', 'template "test/oen" does not exist', 'an unknown template is refused');
select is(tasker.resume_template('test', 'one'), '{}', 'nothing is resumed if the template was not paused');
select tasker.pause_template('test', 'one');
select is(tasker.resume_template('test', 'one'), '{charge}', 'a paused template has its handlers resumed');

select * from finish();
rollback;
