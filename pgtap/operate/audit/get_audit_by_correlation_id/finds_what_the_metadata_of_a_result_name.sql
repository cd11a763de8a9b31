begin;
select plan(9);

select tasker_test.freeze();
select tasker_test.register_as('diamond', '{}', 'top', 'left top', 'right top');
create function pg_temp.names(p_correlation_id text)
  returns setof text
  language sql
as $$ select a.step_name from tasker.get_audit_by_correlation_id(p_correlation_id::uuid) with ordinality as a order by a.ordinality $$;

select set_config('tasker_test.task', (select c.task_uuid::text from tasker.create_task('test', 'diamond') as c), true);
select t.task_uuid as task, t.correlation_id as request from tasker.tasks as t where t.task_uuid = tasker_test.the_task() \gset
select tasker_test.run('top');
select tasker_test.claim('left', 'right');
select is(
  tasker.transition_step_state_atomic(
    tasker_test.the_step('left'), 'in_progress', 'enqueued_for_orchestration', null,
    '{"correlation_id": "00000000-0000-0000-0000-0000000000FF"}'
  ), true, 'a result names another correlation ID, in capitals'
);
select is(
  tasker.transition_step_state_atomic(
    tasker_test.the_step('right'), 'in_progress', 'enqueued_for_orchestration', null,
    jsonb_build_object('correlation_id', :'request')
  ), true, 'another result names the ID of its task'
);

select results_eq(
  $$ select pg_temp.names('00000000-0000-0000-0000-0000000000ff') $$, $$ values ('left') $$,
  'the ID that a result names finds the result'
);
select results_eq(
  format('select pg_temp.names(%L)', :'request'), $$ values ('top'), ('right') $$,
  'the ID of the task finds the others, each once'
);
select is(
  (select count(*) from tasker.get_audit_by_correlation_id('00000000-0000-0000-0000-0000000000ff') as a where a.correlation_id <> '00000000-0000-0000-0000-0000000000ff')
  + (select count(*) from tasker.get_audit_by_correlation_id(:'request') as a where a.correlation_id <> :'request'),
  0::bigint, 'each row shows the ID that found it'
);

-- The cost of the rare ID does not grow with the results of others.
select tasker_test.buffers($$ select * from tasker.get_audit_by_correlation_id('00000000-0000-0000-0000-0000000000ff') $$) as cold \gset
select tasker_test.buffers($$ select * from tasker.get_audit_by_correlation_id('00000000-0000-0000-0000-0000000000ff') $$) as before \gset
insert into tasker.step_log (task_uuid, step_no, sort_key, path, metadata)
select :'task', 1, 100 + n, 5,
       case when n % 2 = 0 then '{"correlation_id": "00000000-0000-0000-0000-0000000000ee"}'::jsonb end
  from generate_series(1, 20000) as n;
select is((select count(*) from pg_temp.names('00000000-0000-0000-0000-0000000000ff')), 1::bigint, 'it is still found');
select cmp_ok(
  tasker_test.buffers($$ select * from tasker.get_audit_by_correlation_id('00000000-0000-0000-0000-0000000000ff') $$), '<', :before + 50::bigint,
  'twenty thousand other results of the same task, half of which name a third ID, add no cost'
);
select is((select count(*) from tasker.get_audit_by_correlation_id('00000000-0000-0000-0000-0000000000ee', 10)), 10::bigint, 'the limit holds');
select throws_ok(
  format($$ select tasker.transition_step_state_atomic(%L, 'enqueued_for_orchestration', 'complete', null, '{"correlation_id": "no UUID"}') $$, tasker_test.the_step('left')),
  'TK422', '"correlation_id" of a transition is not a UUID', 'what is no UUID is refused'
);

select * from finish();
rollback;
