-- A step that stops its worker at once, each time before the worker can say that it has begun.
begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.register('one', 'a');
select tasker_test.launch('one');
create function pg_temp.lose(p_times integer)
  returns integer[]
  language plpgsql
as $$
declare
  v_counts integer[] := '{}';
begin
  for v_turn in 1 .. p_times loop
    v_counts := v_counts || (
      select x.lost_count from tasker.exchange_steps(gen_random_uuid(), p_limit => 1, p_ahead => 1, p_request_uuid => gen_random_uuid()) as x
    );
    perform tasker_test.pass('1 minute');
  end loop;
  return v_counts;
end;
$$;

select is(pg_temp.lose(10), '{0,0,0,0,1,1,1,1,2,2}'::integer[], 'every fourth loss in a row counts');
select from tasker.set_setting('max_lost', '3');
select is(pg_temp.lose(7), '{2,2,3,3,3,3,null}'::integer[], 'the setting max_lost ends the retries');
select is(tasker_test.the_state(), 'blocked_by_failures', 'the step fails for good');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
