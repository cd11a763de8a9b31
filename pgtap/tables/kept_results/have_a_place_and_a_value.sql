begin;
select plan(4);

select tasker_test.begin_function();
create function pg_temp.try(p_kept_no integer, p_occurrence integer, p_value jsonb)
  returns void
  language sql
as $$
  insert into tasker.kept_results (task_uuid, step_no, kept_no, name, occurrence, value, error, bytes, claim_no, kept_at)
  values (tasker_test.the_task(), 1, p_kept_no, 'charge', p_occurrence, p_value, null, 1, 1, now());
$$;
select throws_ok('select pg_temp.try(0, 1, ''1'')', '23514', null, 'a position is at least 1');
select throws_ok('select pg_temp.try(1, 0, ''1'')', '23514', null, 'an occurrence is at least 1');
select throws_ok('select pg_temp.try(1, 1, null)', '23502', null, 'a null value is refused');
select lives_ok('select pg_temp.try(1, 1, ''null'')', 'the value may be the JSON null');

select * from finish();
rollback;
