begin;
select plan(3);

select tasker_test.freeze();
insert into tasker.task_namespaces (name) values ('tap') on conflict do nothing;
insert into tasker.named_steps (named_step_uuid, name) values ('00000000-0000-4000-8000-000000000007', 'tap.seven');
insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, visible_at)
select tasker.mint_task_uuid(), 1, 'tap', 'normal', format('00000000-0000-4000-8000-%s', lpad(n::text, 12, '0'))::uuid, tasker.clock()
  from generate_series(1, 10) as n;
select tasker_test.buffers($$ select from tasker.handler_groups('{tap}', '{tap.seven}', tasker.clock()) $$) as few \gset

insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, visible_at)
select tasker.mint_task_uuid(), 1, 'tap', 'normal', format('00000000-0000-4000-8000-%s', lpad(n::text, 12, '0'))::uuid, tasker.clock()
  from generate_series(11, 1000) as n;
select results_eq(
  $$ select g.lane, g.named_step_uuid from tasker.handler_groups('{tap}', '{tap.seven}', tasker.clock()) as g $$,
  $$ values ('normal'::tasker.queue_lane, '00000000-0000-4000-8000-000000000007'::uuid) $$,
  'the wanted handler is found'
);
select cmp_ok(
  tasker_test.buffers($$ select from tasker.handler_groups('{tap}', '{tap.seven}', tasker.clock()) $$),
  '<=', (:few + 10)::bigint, 'it costs no more buffers beside a thousand handlers'
);
select is_empty($$ select from tasker.handler_groups('{tap}', '{}', tasker.clock()) $$, 'an empty list of handlers finds nothing');

select * from finish();
rollback;
