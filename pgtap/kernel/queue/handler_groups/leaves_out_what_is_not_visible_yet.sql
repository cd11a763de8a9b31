begin;
select plan(2);

select tasker_test.freeze();
insert into tasker.task_namespaces (name) values ('tap') on conflict do nothing;
insert into tasker.named_steps (named_step_uuid, name) values ('00000000-0000-4000-8000-000000000007', 'tap.seven');
insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, visible_at)
values (tasker.mint_task_uuid(), 1, 'tap', 'normal', '00000000-0000-4000-8000-000000000007', tasker.clock());
select tasker_test.buffers($$ select from tasker.handler_groups('{tap}', '{tap.seven}', tasker.clock()) $$) as first \gset
select tasker_test.buffers($$ select from tasker.handler_groups('{tap}', '{tap.seven}', tasker.clock()) $$) as before \gset
insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, visible_at)
select tasker.mint_task_uuid(), 1, 'tap', 'running', '00000000-0000-4000-8000-000000000007', tasker.clock() + interval '1 minute'
  from generate_series(1, 3000);
delete from tasker.step_queue as q
 where q.namespace = 'tap'
   and q.visible_at > tasker.clock();
insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, visible_at)
values (tasker.mint_task_uuid(), 1, 'tap', 'running', '00000000-0000-4000-8000-000000000007', tasker.clock() + interval '2 minutes');

select results_eq(
  $$ select g.lane from tasker.handler_groups('{tap}', '{tap.seven}', tasker.clock()) as g $$,
  $$ values ('normal'::tasker.queue_lane) $$,
  'only the ready step is returned'
);
-- The rows that were deleted are still in the index: this transaction has not committed.
select cmp_ok(
  tasker_test.buffers($$ select from tasker.handler_groups('{tap}', '{tap.seven}', tasker.clock()) $$),
  '<=', (:before + 10)::bigint, 'ended leases of steps with results are not read'
);

select * from finish();
rollback;
