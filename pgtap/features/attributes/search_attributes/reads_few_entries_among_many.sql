-- A search reads its part of the index, also beside many tasks, and its bound ends it.
begin;
select plan(9);

select tasker.register_task_template(
  '{"namespace": "test", "name": "job", "identity_strategy": "always_unique", "attributes": {"customer": "$.customer", "total": {"type": "number", "context": "$.total"}}, "steps": []}'
);
select count(*) from tasker.create_tasks('test', 'job', array(
  select jsonb_build_object('customer', case when i % 1000 = 0 then 'rare' else 'often' end, 'total', i) from generate_series(1, 12000) as i
));
create function pg_temp.reads(p_filter text) returns bigint language plpgsql as $$
declare
  v_call text := format('select * from tasker.list_tasks(''test'', %s)', p_filter);
begin
  perform tasker_test.buffers(v_call);
  return tasker_test.buffers(v_call);
end;
$$;
analyze tasker.tasks, tasker.task_attributes;
select cmp_ok(pg_temp.reads($$ p_attributes => '{customer=rare}' $$), '<', 700::bigint, 'a rare value');
select cmp_ok(pg_temp.reads($$ p_attributes => '{customer=often}', p_limit => 10 $$), '<', 700::bigint, 'the newest of a frequent value');
select cmp_ok(pg_temp.reads($$ p_sort => '-total', p_limit => 10 $$), '<', 700::bigint, 'the largest values');
select cmp_ok(pg_temp.reads($$ p_attributes => '{total>=5000,total<=5010}' $$), '<', 700::bigint, 'a range');
select cmp_ok(pg_temp.reads($$ p_attributes => '{customer=nobody}' $$), '<', 700::bigint, 'a value that no task has');
select is((select count(*) from tasker.list_tasks('test', p_attributes => '{customer=rare}')), 12::bigint, 'a rare value is found');
select throws_ok(
  $$ select * from tasker.list_tasks('test', p_attributes => '{customer=often}', p_state => 'error') $$, 'TK422',
  'the search has read 10,000 tasks without filling the page', 'a search that finds nothing ends at its bound'
);
select lives_ok($$ select * from tasker.list_tasks('test', p_attributes => '{customer=often}', p_state => 'complete') $$, 'a page that is full is returned');
select is_empty(
  $$ select * from tasker.list_tasks('test', p_attributes => '{customer=often,total<0}') $$, 'a range without tasks ends at once, whatever the other condition'
);

select * from finish();
rollback;
