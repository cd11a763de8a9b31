create or replace function tasker.tree_problem(p_parent tasker.tasks)
  returns text
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_limit  integer := tasker.setting_integer('max_task_tree');
  v_root   uuid;
  v_doomed boolean;
begin
  with recursive ancestors (level, task_uuid, step_uuid, doomed, detached) as (
    select 0, p_parent.task_uuid, p_parent.parent_step_uuid, false, false
    union all
    select
      a.level + 1, t.task_uuid, t.parent_step_uuid,
      a.doomed or not a.detached and exists (
        select
          from (values (t.task_uuid, tasker.step_no_of(a.step_uuid)), (a.task_uuid, 0)) as n (task_uuid, step_no)
          join tasker.timers as m
            on m.task_uuid = n.task_uuid
           and m.step_no = n.step_no
           and m.kind = 'cancel_child'
      ),
      a.detached or s.abandons
      from ancestors as a
     cross join lateral (
       select s.await @> '{"task": {"abandon": true}}' as abandons
         from tasker.workflow_steps as s
        where s.task_uuid = tasker.task_uuid_of(a.step_uuid)
          and s.step_no = tasker.step_no_of(a.step_uuid)
       offset 0
     ) as s
     cross join lateral (
       select t.task_uuid, t.parent_step_uuid
         from tasker.tasks as t
        where t.task_uuid = tasker.task_uuid_of(a.step_uuid)
       offset 0
     ) as t
  )
  select (array_agg(a.task_uuid order by a.level desc))[1], bool_or(a.doomed)
    into v_root, v_doomed
    from ancestors as a;
  if v_doomed then
    return 'later';
  end if;

  if not exists (select from tasker.full_trees as f where f.task_uuid = v_root) then
    -- Count at random, on average ten times until the tree is full. An exact counter would be a row that all children
    -- lock.
    if random() >= 10.0 / v_limit or not tasker.tree_is_full(v_root, v_limit) then
      return null;
    end if;
    delete from tasker.full_trees as f
     where not exists (select from tasker.tasks as t where t.task_uuid = f.task_uuid and not t.complete);
    insert into tasker.full_trees (task_uuid) values (v_root) on conflict (task_uuid) do nothing;
  end if;
  return format('more than %s tasks stand below task %s; the setting "max_task_tree" is the limit', v_limit, v_root);
end;
$$;

comment on function tasker.tree_problem is
$$Returns the reason why a step of a task that another task started cannot start a task now, or null if it can. Returns "later" if a note that cancels an ancestor has not been fired yet. An ancestor whose step no longer waits, but that has no such note, does not count: its step ended before the ancestor was reset, and the ancestor runs on its own. Returns a sentence if there are about as many tasks below the root as the setting "max_task_tree" allows. The count is made at random, about ten times until a tree is full, and a full root is recorded. Takes no lock that other starts wait for.$$;
