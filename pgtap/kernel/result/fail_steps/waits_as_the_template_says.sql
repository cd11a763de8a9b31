begin;
select plan(3);

select tasker_test.freeze();
select tasker.set_setting('backoff_jitter', '0');
select tasker.register_task_template('{"namespace": "test", "name": "wide", "steps": [
  {"name": "grows", "retry": {"base_seconds": 2, "multiplier": 3, "max_seconds": 15, "max_attempts": 9}},
  {"name": "stays", "retry": {"backoff": "constant", "base_seconds": 5, "max_attempts": 9}},
  {"name": "plain", "retry": {"max_attempts": 9}}
]}');
select tasker_test.launch('wide');
select tasker.set_setting('backoff_base', '4');
select tasker.set_setting('max_backoff_seconds', '12');
create function pg_temp.waits() returns table (name text, attempt integer, wait interval) language plpgsql as $$
begin
  for n in 1 .. 4 loop
    return query
    with claimed as materialized (select c.step_uuid, c.claim_no, c.name, c.attempt from tasker_test.claim() as c)
    select c.name, c.attempt, a.next_retry_at - tasker.clock()
      from (select array_agg(c.step_uuid) as steps, array_agg(c.claim_no) as claim_nos, array_agg('no'::text) as errors from claimed as c) as x
     cross join lateral tasker.fail_steps(x.steps, x.claim_nos, x.errors) as a
      join claimed as c using (step_uuid);
    perform tasker_test.pass('1 minute');
  end loop;
end;
$$;
create temporary table waits as select w.* from pg_temp.waits() as w;
prepare waits (text) as select extract(epoch from w.wait)::integer from waits as w where w.name = $1 order by w.attempt;
select results_eq($$ execute waits ('grows') $$, $$ values (6), (15), (15), (15) $$, 'an exponential wait grows up to the longest');
select results_eq($$ execute waits ('stays') $$, $$ values (5), (5), (5), (5) $$, 'a constant wait stays the same');
select results_eq($$ execute waits ('plain') $$, $$ values (8), (12), (12), (12) $$, 'a template without a policy follows the settings');

select * from finish();
rollback;
