begin;
select plan(1);

select tasker_test.register_echo();
select tasker_test.register_echo(p_name => 'also');
select results_eq('select r.name collate "default" from tasklib.get_registered_tasks() as r', array['also', 'echo'], 'the names are returned in order');

select * from finish();
rollback;
