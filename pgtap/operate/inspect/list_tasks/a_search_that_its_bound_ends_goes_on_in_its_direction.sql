begin;
select plan(3);

select tasker.register_task_template('{"namespace": "test", "name": "job", "identity_strategy": "always_unique", "attributes": {"c": "$.c"}, "steps": [{"name": "a"}]}') as _ \gset
select tasker.set_setting('list_reads', '1000', 'the test', 'fewer tasks') as _ \gset
select count(*) as _
  from tasker.create_tasks('test', 'job', array(select jsonb_build_object('c', 'z', 'i', i) from generate_series(1, 1010) as i)) \gset
select t.task_uuid as stop from tasker.tasks as t where t.context @@ '$.i == 1000' \gset

create function pg_temp.hint()
  returns text
  language plpgsql
as $$
declare
  v_hint text;
begin
  perform tasker.list_tasks('test', p_attributes => array['c=z'], p_after => '00000000-0000-0000-0000-000000000000', p_where => '$.i > 1005');
  return null;
exception when sqlstate 'TK422' then
  get stacked diagnostics v_hint = pg_exception_hint;
  return v_hint;
end;
$$;
select matches(pg_temp.hint(), format('p_after => ''%s'' goes on where the list has stopped', :'stop'), 'the hint names the argument that the caller uses');
select is(
  (select count(*) from tasker.list_tasks('test', p_attributes => array['c=z'], p_after => :'stop', p_where => '$.i > 1005')), 5::bigint,
  'with it the list goes on'
);
select is(
  (select count(*) from tasker.list_tasks('test', p_attributes => array['c=z'], p_before => :'stop', p_where => '$.i > 1005')), 0::bigint,
  'the other argument leads away from the tasks'
);

select * from finish();
rollback;
