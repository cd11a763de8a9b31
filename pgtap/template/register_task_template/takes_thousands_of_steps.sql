-- 5,000 steps in layers of 50, each with the four nearest of the layer before as its parents; by the statistics there
-- are pages without a single row, as after a registration that failed.
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

savepoint filled;
select tasker.register_task_template(l.template) from large as l;
rollback to filled;
analyze tasker.named_steps, tasker.named_tasks, tasker.named_tasks_named_steps, tasker.named_task_edges;

-- About 17 buffers for each row that is inserted; what is quadratic would be millions.
select cmp_ok(
  tasker_test.buffers($$ select tasker.register_task_template((select l.template from large as l)) $$), '<', 1500000::bigint,
  'the cost is proportional to the template'
);
select is(
  (select count(*) from tasker.named_task_edges as e join tasker.named_tasks as k using (named_task_uuid) where k.name = 'large'),
  19800::bigint, 'all edges are stored'
);
select cmp_ok(
  tasker_test.buffers($$ select tasker.register_task_template((select l.template from large as l)) $$), '<', 1000::bigint,
  'a second registration costs few buffers'
);

select * from finish();
rollback;
