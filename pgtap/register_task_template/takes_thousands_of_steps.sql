-- 5,000 steps in layers of 50, each with the four nearest of the layer before as its parents.
begin;
select plan(3);

select tasker_test.take_turn();

create temporary table large as
  select jsonb_build_object('namespace', 'shipping', 'name', 'large', 'steps', jsonb_agg(
           jsonb_build_object('name', 's' || i, 'dependencies', (
             select coalesce(jsonb_agg('s' || (((i - 1) / 50 - 1) * 50 + 1 + (i + j) % 50)), '[]')
               from generate_series(0, 3) as j
              where i > 50
           )) order by i
         )) as template
    from generate_series(1, 5000) as i;

select performs_ok($$ select tasker.register_task_template((select l.template from large as l)) $$, 5000, 'in less than five seconds');
select is(
  (select count(*) from tasker.named_task_edges as e join tasker.named_tasks as k using (named_task_uuid) where k.name = 'large'),
  19800::bigint, 'with all edges'
);
select performs_ok($$ select tasker.register_task_template((select l.template from large as l)) $$, 3000, 'and again in less than three');

select * from finish();
rollback;
