begin;
select plan(2);

select tasker_test.freeze();
-- A level that read all of the task's steps would make a chain cost its square.
create function pg_temp.read(p_others integer) returns bigint language plpgsql as $$
declare
  v_buffers bigint;
begin
  perform tasker_test.create_undoable(
    'chain' || p_others, '{s1!,s2! s1,s3! s2,s4! s3,s5! s4}'::text[] || array(select format('o%s!', n) from generate_series(1, p_others) as n)
  );
  perform tasker_test.run('s1', 's2', 's3', 's4');
  perform tasker.cancel_task(tasker_test.the_task());
  perform tasker_test.undo();
  -- The second of them: the first one also reads the catalogue.
  for i in reverse 4 .. 3 loop
    perform tasker_test.run('undo s' || i);
    v_buffers := tasker_test.buffers('select tasker.fire_due_timers(1000)');
    if tasker_test.states() not like format('%%undo s%s=enqueued', i - 1) then
      raise exception 'undo s% was not started: %', i - 1, tasker_test.states();
    end if;
  end loop;
  return v_buffers;
end;
$$;
create temporary table reads as select n, pg_temp.read(n) as buffers from unnest('{10,10,1500}'::integer[]) as n;
select cmp_ok(
  (select r.buffers from reads as r where r.n = 1500), '<', (select min(r.buffers) from reads as r where r.n = 10) + 30,
  'a level costs the same in a task of 1,500 steps as in one of 15'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
