-- Each changed row passes every check that its table makes when a row is written.
begin;
select plan(24);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select tasker_test.claim('left');
create temporary table mine as select tasker_test.the_task() as task;
insert into tasker.task_totals (partition_suffix, named_task_uuid, settled, started)
select r.suffix, t.named_task_uuid, true, 1
  from mine as m
  join tasker.tasks as t on t.task_uuid = m.task
  join tasker.partition_ranges as r on m.task >= r.from_uuid and m.task < r.to_uuid
on conflict do nothing;
select is_empty('select * from tasker.check_integrity()', 'check_integrity finds nothing before a change');

create function pg_temp.found(p_sql text) returns setof text language plpgsql as $$
begin
  begin
    set local session_replication_role = replica;
    execute replace(p_sql, '$task', quote_literal((select m.task from mine as m)));
    set local session_replication_role = origin;
    return query
    select distinct format('%s: %s', p.object, regexp_replace(p.problem, '; .*', '')) from tasker.check_integrity() as p;
    raise exception 'undo';
  exception when raise_exception then
    null;
  end;
end;
$$;

select set_has('select pg_temp.found(' || quote_literal(c.change) || ')', 'select ' || quote_literal(c.problem), c.what)
  from (values
    ('wrong counters of a task are reported',
     'update tasker.tasks set open_steps = open_steps - 1 where task_uuid = $task',
     'tasks: counts 4 steps, 2 open, 2 active, 0 retrying, 0 suspended, 0 failed'),
    ('a wrong number of steps is reported',
     'update tasker.tasks set total_steps = total_steps + 1 where task_uuid = $task',
     'tasks: counts 5 steps, 3 open, 2 active, 0 retrying, 0 suspended, 0 failed'),
    ('wrong counts of parents are reported',
     'update tasker.workflow_steps set pending_parents = 1, satisfied_parents = 1 where task_uuid = $task and step_no = 4',
     'workflow_steps: counts 2 parents, 1 pending, 1 satisfied'),
    ('a step without its task is reported',
     'insert into tasker.workflow_steps (task_uuid, step_no, workflow_step_uuid, named_step_uuid, name)
      select u, 1, tasker.step_uuid(u, 1), s.named_step_uuid, s.name from tasker.mint_task_uuid() as u, tasker.workflow_steps as s where s.task_uuid = $task and s.step_no = 1',
     'workflow_steps: is a step of a task that does not exist'),
    ('a task transition without its task is reported',
     'insert into tasker.task_log (task_uuid, sort_key, path)
      values (tasker.mint_task_uuid(), 1, 1)',
     'task_transition_log: is the history of a task that does not exist'),
    ('a step transition without its step is reported',
     'insert into tasker.step_log (task_uuid, step_no, sort_key, path)
      values ($task, 9, 1, 1)',
     'workflow_step_transition_log: is the history of a step that does not exist'),
    ('a claim number that was set back is reported',
     'update tasker.workflow_steps set claim_no = 0 where task_uuid = $task and step_no = 1',
     'workflow_steps: is at claim number 0'),
    ('a changed result is reported',
     'update tasker.workflow_steps set results = ''{"forged": true}'' where task_uuid = $task and step_no = 1',
     'workflow_steps: has other results than those recorded'),
    ('a result that was never recorded is reported',
     'update tasker.workflow_steps set results = ''{}'' where task_uuid = $task and step_no = 2',
     'workflow_steps: has other results than those recorded'),
    ('truncated tasks and logs are reported',
     'do $x$ declare v_table regclass; begin
        for v_table in
          select t.relid
            from unnest(''{tasker.tasks,tasker.workflow_steps,tasker.task_log,tasker.step_log}''::regclass[]) as u (parent)
           cross join lateral pg_partition_tree(u.parent) as t
        loop
          execute format(''alter table %s disable trigger user'', v_table);
        end loop;
      end $x$;
      truncate tasker.tasks, tasker.workflow_steps, tasker.task_log, tasker.step_log,
        tasker.step_queue, tasker.timers, tasker.waiting_tasks',
     'task_transition_log: lacks transitions of partition ' || (
       select r.suffix
         from tasker.partition_ranges as r
         join mine as m on m.task >= r.from_uuid and m.task < r.to_uuid
     ) || ': 1 tasks were started there, its log has 0'),
    ('an identity without its task is reported',
     'insert into tasker.task_identities (identity_hash, task_uuid) values (sha256(''emptied''), tasker.mint_task_uuid())',
     'task_identities: leads to a task that does not exist, in a partition that does'),
    ('an identity of another task is reported',
     'insert into tasker.task_identities (identity_hash, task_uuid) values (sha256(''elsewhere''), $task)',
     'task_identities: leads to a task that was created under another identity'),
    ('a running step without its queue row is reported',
     'delete from tasker.step_queue where task_uuid = $task and step_no = 2',
     'step_queue: lacks the row of a step that is in_progress'),
    ('a queue row of a pending step is reported',
     'insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, visible_at)
      select task_uuid, 4, namespace, lane, named_step_uuid, visible_at from tasker.step_queue where task_uuid = $task and step_no = 2',
     'step_queue: has a row of a step that does not exist or is not in the pipeline'),
    ('a queue row with a part of a limit is reported',
     'update tasker.step_queue set limit_lane = ''high'' where task_uuid = $task and step_no = 2',
     'step_queue: has a row with a part of a limit'),
    ('a timer that no open step needs is reported',
     'insert into tasker.timers (task_uuid, step_no, kind, due_at) values ($task, 1, ''retry_step'', now())',
     'timers: has the timer retry_step of no open task or step'),
    ('a waiting row without its task is reported',
     'insert into tasker.waiting_tasks (task_uuid) values (tasker.mint_task_uuid())',
     'waiting_tasks: has a task that has ended or does not exist'),
    ('an added row of the state machine is reported',
     'insert into tasker.task_state_machine (from_state, event, to_state, position) values (''cancelled'', ''Reopen'', ''pending'', 1)',
     'task_state_machine: is not the state machine of this version'),
    ('an added rule is reported',
     'create rule nothing as on update to tasker.task_log do instead nothing',
     'task_log: has the rule nothing, which is not part of pgtasker'),
    ('a guard with another body is reported',
     'create or replace function tasker.refuse_log_change() returns trigger language plpgsql as ''begin return new; end''',
     'function tasker.refuse_log_change(): differs from what the migrations made'),
    ('a dropped constraint is reported',
     'alter table tasker.workflow_steps drop constraint workflow_steps_row_check',
     'workflow_steps: lacks the constraint workflow_steps_row_check'),
    ('a constraint that says less is reported',
     'alter table tasker.tasks drop constraint tasks_row_check, add constraint tasks_row_check check (tasker.check_task_row('
       || 'task_uuid, state, complete, total_steps, open_steps, active_steps, retrying_steps, suspended_steps, failed_steps, '
       || 'completed_at, headers, context) or true)',
     'tasks: lacks the constraint tasks_row_check'),
    ('a guard that is not enabled always is reported',
     'alter table tasker.tasks enable trigger tasks_refuse_delete',
     'tasks: lacks the enabled trigger tasks_refuse_delete')
  ) as c (what, change, problem);

select * from finish();
rollback;
