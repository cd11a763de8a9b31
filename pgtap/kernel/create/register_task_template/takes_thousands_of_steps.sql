-- 5,000 steps in layers of 50, each with the four nearest of the layer before as its parents; by the statistics there
-- are pages without a single row, as after a registration that failed.
begin;
select plan(3);

select tasker_test.take_turn();

create temporary table large as
  select l.steps, jsonb_build_object('namespace', 'shipping', 'name', 'large', 'steps', jsonb_agg(
           jsonb_build_object('name', 's' || i, 'dependencies', (
             select coalesce(jsonb_agg('s' || (((i - 1) / 50 - 1) * 50 + 1 + (i + j) % 50)), '[]')
               from generate_series(0, 3) as j
              where i > 50
           )) order by i
         )) as template
    from unnest('{2500,5000}'::integer[]) as l (steps)
   cross join generate_series(1, l.steps) as i
   group by l.steps;
create function pg_temp.cost(p_steps integer) returns bigint language sql as $$
  select tasker_test.buffers(format('select tasker.register_task_template((select l.template from large as l where l.steps = %s))', p_steps));
$$;

savepoint filled;
select tasker.register_task_template(l.template) from large as l where l.steps = 5000;
rollback to filled;
analyze tasker.named_steps, tasker.named_tasks, tasker.named_tasks_named_steps, tasker.named_task_edges;

savepoint analyzed;
select pg_temp.cost(2500) as half \gset
rollback to analyzed;
select pg_temp.cost(5000) as first \gset
select cmp_ok(:first::bigint, '<', (3 * :half)::bigint, 'twice the template costs at most three times as much');
select is(
  (select count(*) from tasker.named_task_edges as e join tasker.named_tasks as k using (named_task_uuid) where k.name = 'large'),
  19800::bigint, 'all edges are stored'
);
select cmp_ok(50 * pg_temp.cost(5000), '<', :first::bigint, 'a second registration costs less than a fiftieth');

select * from finish();
rollback;
