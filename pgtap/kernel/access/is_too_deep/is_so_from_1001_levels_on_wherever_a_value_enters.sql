begin;
select plan(29);

select tasker_test.freeze();
create function pg_temp.arrays(p_levels integer, p_inner text default '') returns jsonb language sql as $$
  select (repeat('[', p_levels) || p_inner || repeat(']', p_levels))::jsonb;
$$;
create function pg_temp.objects(p_levels integer) returns jsonb language sql as $$
  select (repeat('{"":', p_levels - 1) || '{}' || repeat('}', p_levels - 1))::jsonb;
$$;
select is(tasker.is_too_deep(pg_temp.arrays(1000)), false, '1,000 arrays');
select is(tasker.is_too_deep(pg_temp.arrays(1001)), true, '1,001 arrays');
select is(tasker.is_too_deep(pg_temp.arrays(1000, '1')), false, 'a number in 1,000 arrays');
select is(tasker.is_too_deep(pg_temp.objects(1000)), false, '1,000 objects');
select is(tasker.is_too_deep(pg_temp.objects(1001)), true, '1,001 objects');
select is(tasker.is_too_deep(jsonb_build_object('a', repeat('[', 10000), 'b', (select jsonb_agg(n) from generate_series(1, 10000) as n))), false, 'a large value of two levels');
select is(tasker.is_too_deep(jsonb_build_array('1', '2', pg_temp.arrays(1000))), true, 'the last of several elements');
select is(tasker.is_too_deep(null), null, 'null');
create temporary table stored as select pg_temp.arrays(1001) as value;
select is(tasker.is_too_deep(s.value), true, 'a value that a table keeps compressed') from stored as s;

create function pg_temp.deep(p_levels integer) returns jsonb language sql as $$
  select jsonb_build_object('d', pg_temp.arrays(p_levels - 1));
$$;
select tasker_test.create_waiting('waits', '[
  {"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "d", "await": {"signal": "s"}}, {"name": "e", "await": {"signal": "s"}}
]');
create temporary table claimed as select c.* from tasker_test.claim() as c;
create function pg_temp.refused(p_sql text) returns setof text language plpgsql as $$
begin
  return next throws_like(format(p_sql, 'pg_temp.deep(1001)'), '%nested deeper than 1,000 levels', '1,001 levels: ' || p_sql);
  return next lives_ok(format(p_sql, 'pg_temp.deep(1000)'), '1,000 levels: ' || p_sql);
end;
$$;
select pg_temp.refused(c.call)
  from (values
    ($$ select tasker.create_task('test', 'waits', %s) $$),
    ($$ select tasker.create_task('test', 'waits', p_headers => %s) $$),
    ($$ select tasker.send_signal(tasker_test.the_task(), 's', %s) $$),
    ($$ select tasker.emit_event('test', 'e', p_payload => %s) $$),
    ($$ select tasker.checkpoint_step(c.step_uuid, c.claim_no, %s) from claimed as c where c.name = 'a' $$),
    ($$ select tasker.add_steps(tasker_test.the_task(), jsonb_build_array(jsonb_build_object('name', 'new', 'initialization', jsonb_build_object('x', %s #> '{d,0,0,0}')))) $$),
    ($$ select tasker.register_task_template(jsonb_build_object('namespace', 'test', 'name', 'deep', 'steps', jsonb_build_array(jsonb_build_object('name', 'new', 'initialization', jsonb_build_object('x', %s #> '{d,0,0,0}'))))) $$)
  ) as c (call);

select is(
  (select array_agg(a.answer::text order by a.answer::text) from tasker.complete_steps(
    array(select c.step_uuid from claimed as c where c.name in ('a', 'b') order by c.name),
    array(select c.claim_no from claimed as c where c.name in ('a', 'b') order by c.name),
    array[pg_temp.deep(1001), pg_temp.deep(1000)]
  ) as a),
  '{completed,too_large}', 'of two results the deeper one is too large'
);
select is(tasker_test.complete('a', pg_temp.deep(1001)), 'too_large', 'so is one by itself');
select is(tasker_test.complete('a', pg_temp.deep(1000)), 'completed', 'the step may still complete');
select throws_like(
  format($$ select tasker.complete_step_manually(%L, pg_temp.deep(1000)) $$, tasker_test.the_step('c')),
  'the metadata of the transition is nested deeper than 1,000 levels', 'metadata contain a result'
);
select lives_ok(
  format($$ select tasker.complete_step_manually(%L, pg_temp.deep(999)) $$, tasker_test.the_step('c')), 'within its levels it is taken'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
