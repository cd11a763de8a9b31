begin;
select plan(4);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "test", "name": "lanes", "steps": [
  {"name": "a", "handler": "h1", "priority": 1}, {"name": "b", "handler": "h1"}, {"name": "c", "handler": "h2"}, {"name": "d", "handler": "h2"}
]}');
select tasker_test.launch('lanes') as first \gset
select tasker_test.pass('1 minute');
select tasker_test.launch('lanes');
prepare groups as
  select g.lane::text, h.name, g.task_uuid, g.visible_at - tasker.clock()
    from tasker.queue_groups('{test}') as g join tasker.named_steps as h using (named_step_uuid) order by 1, 2;
select results_eq(
  'execute groups',
  format('values (%L, %L, %L::uuid, interval %L), (%L, %L, %L, %L), (%L, %L, %L, %L)',
    'high', 'h1', :'first', '-1 minute', 'normal', 'h1', :'first', '-1 minute', 'normal', 'h2', :'first', '-1 minute'),
  'each lane and handler has one row'
);
select from tasker_test.claim(1000);
select set_eq($$ select g.lane::text, count(*) from tasker.queue_groups('{test}') as g group by 1 $$, $$ values ('running', 2::bigint) $$, 'running steps have groups of their own');
select is_empty($$ select from tasker.queue_groups('{}') $$, 'no namespaces have no groups');
select is_empty($$ select from tasker.queue_groups('{nowhere}') $$, 'an unknown namespace has no groups');

select * from finish();
rollback;
