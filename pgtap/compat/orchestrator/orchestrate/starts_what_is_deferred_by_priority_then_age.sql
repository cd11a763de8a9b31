begin;
select plan(1);

select tasker_test.freeze();
create temporary table made (no integer, task uuid);
insert into made select 1, tasker_test.create_task(p_deferred => true, p_priority => 0);
select tasker_test.pass('1 minute');
insert into made select 2, tasker_test.create_task(p_deferred => true, p_priority => 0);
select tasker_test.pass('1 minute');
insert into made select 3, tasker_test.create_task(p_deferred => true, p_priority => 5);
select tasker_test.pass('1 minute');
insert into made select 4, tasker_test.create_task(p_deferred => true, p_priority => -5);

create temporary table started (turn serial, no integer);
do $$
begin
  for i in 1 .. 4 loop
    perform tasker.orchestrate(1);
    insert into started (no)
    select m.no
      from made as m
      join tasker.tasks as t on t.task_uuid = m.task and t.state <> 'pending'
     where m.no not in (select s.no from started as s);
  end loop;
end;
$$;
select results_eq('select no from started order by turn', 'values (3), (1), (2), (4)', 'tasks start by priority, then by age');

select * from finish();
rollback;
