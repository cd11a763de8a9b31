begin;
select plan(11);

select tasker_test.freeze('2026-11-22 12:00:00+00');
create function pg_temp.expanded() returns integer language sql as $$
  select (s.expansion ->> 'expanded')::integer
    from tasker.workflow_steps as s
   where s.task_uuid = tasker_test.the_task()
     and s.for_each is not null
   order by s.step_no desc
   limit 1;
$$;
-- A worker of other steps claims, and finds the expansion due.
create function pg_temp.claim(p_limit integer) returns void language sql as $$
  select from tasker.claim_steps('{test}', tasker_test.worker(), p_limit, 60, '{other}') as c;
$$;
select tasker_test.create_waiting('wide', '[{"name": "each", "for_each": "$.lines"}]',
  p_context => jsonb_build_object('lines', (select jsonb_agg(n) from generate_series(0, 1999) as n))) is not null as made;
select pg_temp.claim(1);
select is(pg_temp.expanded(), 25, 'a claim of one step starts 25 instances');
select pg_temp.claim(60);
select is(pg_temp.expanded(), 85, 'a claim of more steps starts as many as it may claim');
select tasker_test.expand();
select is(pg_temp.expanded(), 1085, 'an orchestrator starts a thousand instances');
select is_empty('select tasker_test.violations()', 'every invariant holds in between');
select pg_temp.claim(1);
select is(pg_temp.expanded(), 1085, 'claims leave the rest to that orchestrator for the next 250 ms');
select tasker_test.freeze('2026-11-22 12:00:00.25+00');
select pg_temp.claim(1);
select is(pg_temp.expanded(), 1110, 'claims continue after that time');
select tasker.cancel_task(tasker_test.the_task());
select tasker_test.create_waiting('two', '[{"name": "each", "for_each": "$.lines"}, {"name": "next", "for_each": "$.lines"}]',
  p_context => '{"lines": [0, 1]}');
select tasker.expand_maps(array[t.task, t.task], '{1,2}', row(100, 3, 0, '0', tasker_test.worker())::tasker.fire_budgets) from (select tasker_test.the_task() as task) as t;
select is(
  (select string_agg(coalesce(s.expansion ->> 'expanded', 'untouched'), ', ' order by s.step_no) from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.for_each is not null),
  '2, untouched', 'a call that has started as many as it may does not look at the next map'
);
select tasker.cancel_task(tasker_test.the_task());

create temporary table reads (kind text, elements integer, buffers bigint);
create function pg_temp.read_claims(p_kind text, p_elements integer) returns void language plpgsql as $$
begin
  if p_kind = 'map' then
    perform tasker_test.expand(), tasker_test.expand();
    perform tasker_test.finish_instances('first', p_elements);
  end if;
  -- The first claims also read the catalogue.
  perform pg_temp.claim(1);
  perform pg_temp.claim(1);
  insert into reads values (p_kind, p_elements, tasker_test.buffers(
    $q$ select from tasker.claim_steps('{test}', tasker_test.worker(), 1, 60, '{other}') $q$
  ));
end;
$$;
create function pg_temp.lines(p_count integer) returns jsonb language sql as $$
  select jsonb_build_object('lines', (select jsonb_agg(n) from generate_series(1, p_count) as n))
$$;
select tasker_test.create_waiting('few', '[{"name": "each", "for_each": "$.lines"}]', p_context => pg_temp.lines(200)) is not null as made;
select pg_temp.read_claims('context', 200);
select tasker.cancel_task(tasker_test.the_task());
select tasker_test.create_waiting('many', '[{"name": "each", "for_each": "$.lines"}]', p_context => pg_temp.lines(20000)) is not null as made;
select pg_temp.read_claims('context', 20000);
select cmp_ok(
  (select r.buffers from reads as r where r.elements = 20000), '<', (select r.buffers * 13 / 10 from reads as r where r.elements = 200),
  'a claim reads as much beside 20,000 elements as beside 200'
);
select tasker.cancel_task(tasker_test.the_task());

select tasker_test.create_waiting('short', '[{"name": "first", "for_each": "$.lines"}, {"name": "each", "dependencies": ["first"], "for_each": {"step": "first"}}]', p_context => pg_temp.lines(60)) is not null as made;
select pg_temp.read_claims('map', 60);
select tasker.cancel_task(tasker_test.the_task());
select tasker_test.create_waiting('long', '[{"name": "first", "for_each": "$.lines"}, {"name": "each", "dependencies": ["first"], "for_each": {"step": "first"}}]', p_context => pg_temp.lines(600)) is not null as made;
select pg_temp.read_claims('map', 600);
select cmp_ok(
  (select r.buffers from reads as r where r.kind = 'map' and r.elements = 600), '<',
  (select r.buffers * 13 / 10 from reads as r where r.kind = 'map' and r.elements = 60),
  'a claim does not read all results of a map that another map runs over'
);
select tasker_test.expand();
select tasker_test.expand();
select is(
  (select count(*) filter (where (s.inputs ->> 'index')::integer + 1 = (s.inputs #>> '{element,got}')::integer) || ' of ' || count(*)
     from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.name like 'each[%'),
  '600 of 600', 'each batch begins where the last one ended'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
