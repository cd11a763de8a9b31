create or replace function tasker.search_attributes(
  p_namespaces  text[],
  p_attributes  text[],
  p_sort        text,
  p_before      uuid,
  p_after       uuid,
  p_from        uuid,
  p_until       uuid,
  p_limit       integer
)
  returns tasker.attribute_finds
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_most constant integer := 10000; -- the most index entries that a search reads
  v_filters jsonb   := tasker.attribute_filters(p_attributes, p_sort);
  v_range   text    := jsonb_path_query_first(v_filters, '$[*] ? (@.op != "=")') ->> 'name';
  v_by      text    := coalesce(ltrim(p_sort, '-'), v_range, v_filters #>> '{0,name}');
  v_sorted  boolean := coalesce(p_sort, v_range) is not null;
  v_way     text    := case when p_sort like '-%' or not v_sorted and p_after is null then 'desc' else 'asc' end;
  v_known   jsonb   := tasker.searched_attributes(p_namespaces, array(
    select distinct u.name from (select v_by as name union all select f.value ->> 'name' from jsonb_array_elements(v_filters) as f (value)) as u
  ));
  v_column  text    := v_known #>> array[v_by, 'type'] || '_value';
  v_where   text;
  v_others  text;
  v_found   tasker.attribute_finds;
begin
  if v_sorted and p_after is not null then
    raise exception using
      errcode = 'TK422',
      message = 'a list in the order of an attribute does not take p_after',
      hint    = 'Pass the last task of a page as p_before, and the sort with - in front of the name for the largest value first.';
  end if;
  -- The values are literals so that the planner sees them.
  select
    string_agg(tasker.attribute_condition('a', f.value, v_known #>> array[v_by, 'type']), '') filter (where f.value ->> 'name' = v_by),
    string_agg(format(
      ' and exists (select from tasker.task_attributes as o where o.task_uuid = c.task_uuid and o.attribute_no = any (%L::integer[])%s offset 0)',
      v_known #>> array[f.value ->> 'name', 'nos'], tasker.attribute_condition('o', f.value, v_known #>> array[f.value ->> 'name', 'type'])
    ), '') filter (where f.value ->> 'name' <> v_by)
    into v_where, v_others
    from jsonb_array_elements(v_filters) as f (value);
  v_where := coalesce(v_where, '')
    || coalesce(' and a.task_uuid >= ' || quote_literal(p_from), '') || coalesce(' and a.task_uuid < ' || quote_literal(p_until), '')
    || case
         when v_sorted and p_before is not null then tasker.attribute_cursor(p_before, v_known -> v_by ->> 'nos', v_column, v_way)
         else coalesce(' and a.task_uuid < ' || quote_literal(p_before), '') || coalesce(' and a.task_uuid > ' || quote_literal(p_after), '')
       end;
  execute format(
    $sql$select jsonb_object_agg(c.task_uuid, c.place) filter (where true%1$s), count(*) > %2$s
      from (
        select c.task_uuid, row_number() over (order by c.value %3$s, c.task_uuid %3$s) as place
          from unnest(%4$L::integer[]) as n (attribute_no)
         cross join lateral (
           select a.task_uuid, a.%5$I as value
             from tasker.task_attributes as a
            where a.attribute_no = n.attribute_no
              and a.%5$I is not null%6$s
            order by a.%5$I %3$s, a.task_uuid %3$s
            limit %7$s
         ) as c
         order by place
         limit %7$s
      ) as c$sql$,
    coalesce(v_others, ''), v_most, v_way, v_known #>> array[v_by, 'nos'], v_column, v_where,
    case when v_others is null and p_limit <= v_most then p_limit else v_most + 1 end
  ) into v_found.places, v_found.cut;
  v_found.places := coalesce(v_found.places, '{}');
  return v_found;
end;
$$;

comment on function tasker.search_attributes is
$$Returns the tasks that match all conditions on attributes, with their places in the order of the search. The order is by the attribute p_sort, otherwise by the first attribute with a range, otherwise newest first (with p_after, oldest first). An order by an attribute leaves out tasks without this attribute.

Reads at most 10,001 entries of the index of one attribute, or p_limit entries if there is no condition on another attribute. For each entry, reads one row for each condition on another attribute. A caller that filters the tasks further passes a p_limit above 10,000. Raises TK422 for invalid conditions.$$;
