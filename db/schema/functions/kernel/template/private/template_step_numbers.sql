create or replace function tasker.template_step_numbers(p_named_task_uuid uuid, p_template jsonb)
  returns integer[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_others uuid[] := array(
    select k.named_task_uuid
      from tasker.named_tasks as n
      join tasker.named_tasks as k
        on k.task_namespace_uuid = n.task_namespace_uuid
       and k.name = n.name
       and k.named_task_uuid <> n.named_task_uuid
     where n.named_task_uuid = p_named_task_uuid
     order by k.created_at desc, k.named_task_uuid desc
  );
  v_last   integer := coalesce((
    select max(l.step_no)
      from unnest(v_others) as o (named_task_uuid)
     cross join lateral (
       select s.step_no
         from tasker.named_tasks_named_steps as s
        where s.named_task_uuid = o.named_task_uuid
        order by s.step_no desc
        limit 1
     ) as l
  ), 0);
  v_by_name jsonb;
  v_known   integer[];
  v_new     integer;
  v_numbers integer[];
begin
  if v_last = 0 then
    return array(select generate_series(1, jsonb_array_length(p_template -> 'steps')));
  end if;

  -- Collect the numbers by name. If a name has several numbers, the last number is kept, which is the number in the
  -- newest version.
  select jsonb_object_agg(s.step_name, s.step_no order by o.age desc)
    into v_by_name
    from unnest(v_others) with ordinality as o (named_task_uuid, age)
    join tasker.named_tasks_named_steps as s
      on s.named_task_uuid = any (array[o.named_task_uuid]);
  v_known := array(
    select (v_by_name ->> (e.value ->> 'name'))::integer
      from jsonb_array_elements(p_template -> 'steps') with ordinality as e (value, no)
     order by e.no
  );
  v_new := cardinality(v_known) - cardinality(array_remove(v_known, null));
  -- Numbers of new names follow all numbers that any version has used. If these numbers are used up, they fill the gaps
  -- of this version.
  v_numbers := array(
    select n.no
      from generate_series(case when v_last + v_new > 65535 then 1 else v_last + 1 end, 65535) as n (no)
     where v_last + v_new <= 65535
        or n.no <> all (array_remove(v_known, null))
     limit v_new
  );
  return array(
    select coalesce(k.no, v_numbers[k.place])
      from (
        select u.no, u.ord, count(*) filter (where u.no is null) over (order by u.ord) as place
          from unnest(v_known) with ordinality as u (no, ord)
      ) as k
     order by k.ord
  );
end;
$$;

comment on function tasker.template_step_numbers is
$$Returns the numbers of a new version's steps, in the order of the template. If another version has a step of the same name, the step gets its number from that version, and from the newest such version if there are several. All other steps get new numbers, in order. The caller has inserted the version and holds the lock on its namespace.$$;
