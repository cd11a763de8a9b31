begin;
select plan(3);

select tasker_test.freeze();
select setseed(0.1);
select tasker.register_task_template('{"namespace": "busy", "name": "one", "steps": [{"name": "a"}]}');
select tasker.register_task_template('{"namespace": "calm", "name": "one", "steps": [{"name": "a"}]}');
select count(*) from tasker.create_tasks('busy', 'one', array(select jsonb_build_object('n', n) from generate_series(1, 500) as n));
select tasker_test.pass('1 hour');
select count(*) from tasker.create_tasks('calm', 'one', array(select jsonb_build_object('n', n) from generate_series(1, 100) as n));

create temporary table claimed as
  select c.namespace
    from generate_series(1, 100) as n
   cross join lateral (select c.namespace from tasker.claim_steps('{busy,calm}', tasker_test.worker(), 1 + 0 * n) as c) as c;
select ok(
  (select count(*) between 25 and 75 from claimed as c where c.namespace = 'calm'),
  'a namespace with little and young work is served as often as one with an old backlog'
);
select is((select count(*) from claimed), 100::bigint, 'no claim comes back empty');
select is(
  (select count(*) from tasker.claim_steps('{calm}', tasker_test.worker(), 1000)), 100 - (select count(*) from claimed as c where c.namespace = 'calm'),
  'a claim can ask for a single namespace'
);

select * from finish();
rollback;
