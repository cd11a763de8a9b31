create or replace function tasker.stream_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select coalesce(h.task_uuid, i.task_uuid), coalesce(h.step_no, i.step_no), null::integer, 'step_streams',
         case
           when h.task_uuid is null then format('has items of stream "%s", which has no row', i.name)
           when s.task_uuid is null then format('has a stream "%s" of a step that does not exist', h.name)
           when h.value is not null then format('has items of the value "%s"', h.name)
           else format(
             'says that stream "%s" has the items %s to %s; there are %s, from %s to %s',
             h.name, h.first_no, h.last_no, coalesce(i.items, 0), i.first_no, i.last_no
           )
         end
    from (
      select h.* from tasker.step_streams as h where h.task_uuid >= p_from and h.task_uuid < p_to
    ) as h
    full join (
      select b.task_uuid, b.step_no, b.name, sum(jsonb_array_length(b.items)) as items, min(b.first_no) as first_no,
             max(b.last_no) as last_no, bool_or(b.first_no + jsonb_array_length(b.items) - 1 <> b.last_no) as uneven
        from tasker.stream_items as b
       where b.task_uuid >= p_from
         and b.task_uuid < p_to
       group by b.task_uuid, b.step_no, b.name
    ) as i
      on i.task_uuid = h.task_uuid
     and i.step_no = h.step_no
     and i.name = h.name
    left join tasker.workflow_steps as s
      on s.task_uuid = h.task_uuid
     and s.step_no = h.step_no
   where h.task_uuid is null
      or s.task_uuid is null
      or h.value is not null and i.items is not null
      or h.value is null and (
        h.last_no - h.first_no + 1 <> coalesce(i.items, 0)
        or i.uneven
        or i.first_no <> h.first_no
        or i.last_no <> h.last_no
      );
end;
$$;

comment on function tasker.stream_problems is
$$Finds the streams whose items have gaps or do not agree with the stream's row, for the tasks from p_from up to p_to.$$;
