begin;
select plan(6);

select tasker_test.register('unused', 'a', 'b a');
select lives_ok(
  $$ update tasker.named_task_edges as e set condition = '$.ok == true' $$, 'the edges of a template without tasks can be changed'
);

select tasker_test.register('used', 'a', 'b', 'c b');
select tasker_test.make_task('used');
prepare template as
  select k.named_task_uuid from tasker.named_tasks as k where k.name = 'used';
create temporary table used as execute template;

select throws_ok(
  $$ insert into tasker.named_task_edges (named_task_uuid, from_step_no, to_step_no) select u.named_task_uuid, 1, 2 from used as u $$,
  'TK409', 'the graph of template used version 0.1.0 cannot change, because tasks use it', 'a template with tasks gets no new edge'
);
select throws_ok(
  $$ update tasker.named_task_edges as e set condition = null where e.named_task_uuid = (select u.named_task_uuid from used as u) $$,
  'TK409', 'the graph of template used version 0.1.0 cannot change, because tasks use it', 'the edges of a template with tasks cannot be changed'
);
select throws_ok(
  'delete from tasker.named_task_edges',
  'TK409', 'the graph of template used version 0.1.0 cannot change, because tasks use it', 'the edges of a template with tasks cannot be deleted'
);
select is(
  (select count(*) from tasker.workflow_step_edges as e where e.task_uuid = tasker_test.the_task()), 1::bigint, 'the task keeps its edge'
);
-- The test reads the trigger, since truncate would wait for all sessions that read the table.
select isnt_empty(
  $$
  select
    from pg_trigger as t
   where t.tgrelid = 'tasker.named_task_edges'::regclass
     and t.tgfoid = 'tasker.refuse_registry_delete'::regproc
     and pg_get_triggerdef(t.oid) ~ 'BEFORE .*TRUNCATE'
  $$,
  'a trigger refuses truncate'
);

select * from finish();
rollback;
