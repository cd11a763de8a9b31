-- No index holds a column that changes while a step lives, and the partitions leave room: updates stay
-- in their page and touch no index. In partitions of its own, so that no other rows are in the way.
begin;
select plan(3);

select tasker_test.freeze('2050-01-20 12:00:00+00');
select tasker.ensure_partitions();
select tasker_test.register('single', 'only');
select tasker_test.make_task('single');
select tasker_test.move_task(tasker_test.the_task(), 'initializing', 'enqueuing_steps');

create temporary table before as
  select s.relname, s.n_tup_upd, s.n_tup_hot_upd
    from pg_stat_xact_user_tables as s
   where s.relid in (tasker_test.the_partition('workflow_steps'), tasker_test.the_partition('tasks'));

-- One step's whole life, with time passing: a column that keeps its value costs nothing.
select tasker_test.pass('1 second');
select tasker_test.move_step(tasker_test.the_step('only'), 'enqueued');
select tasker_test.pass('1 second');
select tasker_test.move_step(tasker_test.the_step('only'), 'in_progress');
select tasker_test.pass('1 second');
select tasker.transition_step_state_atomic(
  tasker_test.the_step('only'), 'in_progress', 'enqueued_for_orchestration', null, '{"results": {"charged": 12.50}}'
);
select tasker_test.pass('1 second');
select tasker_test.move_step(tasker_test.the_step('only'), 'complete');

create temporary table updates as
  select b.relname, s.n_tup_upd - b.n_tup_upd as updates, s.n_tup_hot_upd - b.n_tup_hot_upd as hot
    from before as b
    join pg_stat_xact_user_tables as s on s.relname = b.relname;

select is(
  (select updates from updates where relname like 'workflow_steps%'), 4::bigint,
  'the step''s row is updated once for each transition'
);
select is(
  (select updates from updates where relname like 'tasks%'), 4::bigint,
  'the task''s row is updated once for each transition'
);
select is_empty('select * from updates where hot is distinct from updates', 'all updates are HOT');

select * from finish();
rollback;
