create or replace function tasker.check_filter_names(p_kinds text[], p_events text[], p_to_states text[])
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_message text;
  v_hint    text;
begin
  with possible (kind, event, to_state) as (
    values ('task', 'Create', 'pending')
    union all
    select 'task', m.event, m.to_state::text from tasker.task_state_machine as m
    union all
    select 'step', m.event, m.to_state::text from tasker.step_state_machine as m
  ),
  names (word, name, kind, reached) as (
    select 'event', p.event, p.kind, p_to_states is null or p.to_state = any (p_to_states) from possible as p
    union all
    select 'state', p.to_state, p.kind, p_events is null or p.event = any (p_events) from possible as p
  ),
  wanted (word, name) as (
    select 'event', u.name from unnest(p_events) as u (name)
    union all
    select 'state', u.name from unnest(p_to_states) as u (name)
  ),
  judged as (
    select
      w.word,
      w.name,
      count(n.name) > 0 as known,
      count(*) filter (where n.kind = any (p_kinds)) > 0 as has_kind,
      count(*) filter (where n.kind = any (p_kinds) and n.reached) > 0 as possible
      from wanted as w
      left join names as n
        on n.word = w.word
       and n.name = w.name
     group by w.word, w.name
  )
  select
    case
      when not j.known then format('no %s is called "%s"', j.word, left(j.name, 100))
      when not j.has_kind then format('a %s has no %s "%s"', p_kinds[1], j.word, j.name)
      when j.word = 'event' then format('event "%s" leads to none of the states of the filter', j.name)
      else format('no event of the filter leads to state "%s"', j.name)
    end,
    case
      when not j.known then coalesce('Did you mean "' || (
        select tasker.nearest_name(j.name, array_agg(distinct n.name))
          from names as n
         where n.word = j.word
           and n.kind = any (p_kinds)
      ) || '"? ', '') || 'docs/states.md has the events and the states.'
      when not j.has_kind and p_kinds = '{task}' then
        'It belongs to steps. Filter the ends of tasks by state: {"kinds": ["task"], "to_states": ["complete", "error", "cancelled", "resolved_manually"]}.'
      when not j.has_kind then 'It belongs to tasks: name the kind "task", too.'
      else 'A transition passes the filter if both its event and its state are listed. Leave out one of the lists.'
    end
    into v_message, v_hint
    from judged as j
   where not j.possible
   order by j.word, j.name
   limit 1;
  if v_message is not null then
    raise exception using
      errcode = 'TK422',
      message = v_message,
      detail  = format('The filter has the kinds %s.', array_to_string(p_kinds, ', ')),
      hint    = v_hint;
  end if;
end;
$$;

comment on function tasker.check_filter_names is
$$Raises TK422 for an event or a state that no transition of these kinds has. A list that is null allows all names.$$;
