-- A step that kills its process takes the steps beside it along; only alone can the next loss tell which it was.
begin;
select plan(14);

select tasker_test.freeze();
select tasker.set_setting('max_lost', '3');
select tasker_test.register('crowd', 'a', 'b', 'poison');
select tasker_test.register('single', 'fresh');
select tasker_test.launch('crowd');
select tasker.register_worker(tasker_test.worker(1), 'host:7');
select tasker.register_worker(tasker_test.worker(2), 'host:7#2');

create function pg_temp.claims(p_worker integer default 1, p_limit integer default 10)
  returns text
  language sql
as $$
  select coalesce(string_agg(c.name, ', ' order by c.name), '')
    from tasker.claim_steps(array['test'], tasker_test.worker(p_worker), p_limit, 60) as c
$$;

select is(pg_temp.claims(), 'a, b, poison', 'all steps are claimed together');
select tasker_test.pass('61 seconds');
select is(pg_temp.claims(), 'a, b, poison', 'one loss makes no suspects');
select tasker_test.pass('61 seconds');
select is(pg_temp.claims(), 'a', 'after two losses the worker gets one of the suspects');
select tasker_test.pass('1 second');
select is(pg_temp.claims(2), '', 'another worker of its process gets none');
select tasker_test.pass('1 second');
select is(pg_temp.claims(3), 'b', 'another process gets one');
select tasker_test.complete('a');
select tasker_test.pass('1 second');
select is(pg_temp.claims(2), 'poison', 'the process that has ended its suspect gets the next one');
select tasker_test.pass('61 seconds');
select is(pg_temp.claims(3), 'b', 'a lost suspect is claimed again, and the other one waits');
create temporary table crowd as select tasker_test.the_task() as task_uuid;
select tasker_test.launch('single');
select tasker_test.pass('1 second');
select is(pg_temp.claims(3, 1), 'fresh', 'a suspect that must wait holds up no other step');
select tasker_test.pass('1 second');
select is(pg_temp.claims(1), 'poison', 'the suspect goes to the process without one');
select tasker_test.pass('61 seconds');
select isnt(pg_temp.claims(3), '', 'what was lost is claimed again');
select is(
  (select s.last_error from tasker.workflow_steps as s join crowd as c on c.task_uuid = s.task_uuid where s.name = 'poison'),
  'its worker was lost 4 times', 'the guilty step fails for good'
);
select is(
  (select s.last_error from tasker.workflow_steps as s join crowd as c on c.task_uuid = s.task_uuid where s.name = 'b'),
  'its worker was lost 4 times, the last time with one other step', 'an error says how many were lost together'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
