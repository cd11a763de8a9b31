begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.register('one', 'charge');
select tasker.register_namespace('elsewhere');
select tasker.pause_handler('test', 'charge', p_actor => 'ann');
select tasker.pause_handler('elsewhere', 'charge');
select results_eq('select p.namespace from tasker.list_handler_pauses() as p', $$ values ('elsewhere'), ('test') $$, 'all are listed');
select results_eq($$ select p.namespace from tasker.list_handler_pauses('test') as p $$, $$ values ('test') $$, 'or those of a namespace');
select set_config('tasker.namespaces', 'test', true);
select results_eq('select p.namespace, p.paused_by from tasker.list_handler_pauses() as p', $$ values ('test', 'ann') $$, 'a bound caller sees its own');
select throws_like($$ select tasker.pause_handler('elsewhere', 'charge') $$, '%may not work in namespace "elsewhere"', 'and pauses no other');

select * from finish();
rollback;
