create or replace function tasker.selection_words(p_kind text, p_filters jsonb, p_entries integer, p_more boolean)
  returns text
  language sql
  stable
begin atomic
  select concat_ws(
    ' ',
    case when p_more then case when p_filters ? 'incident' then 'the first' else 'the newest' end end,
    p_entries::text,
    case p_kind
      when 'tasks' then case p_entries when 1 then 'task' else 'tasks' end
      when 'steps' then case p_entries when 1 then 'step' else 'steps' end
      else case p_entries when 1 then 'open dead letter' else 'open dead letters' end
    end,
    case when p_filters = '{}' then 'chosen one by one' end,
    'in state ' || (p_filters ->> 'state'),
    'of namespace ' || (p_filters ->> 'namespace'),
    'from template ' || (p_filters ->> 'name'),
    'of version ' || (p_filters ->> 'version'),
    'with tags ' || (select string_agg(t.tag, ', ') from jsonb_array_elements_text(p_filters -> 'tags') as t (tag)),
    'with correlation ' || (p_filters ->> 'correlation_id'),
    'requested since ' || (p_filters ->> 'requested_after'),
    'requested before ' || (p_filters ->> 'requested_before'),
    'with key ' || (p_filters ->> 'identity_key'),
    'started by ' || (p_filters ->> 'initiator'),
    'of schedule ' || (p_filters ->> 'schedule'),
    'with a step of handler ' || (p_filters ->> 'handler'),
    'with step ' || (p_filters ->> 'step'),
    'with an error that contains "' || (p_filters ->> 'error') || '"',
    'that take at least ' || (p_filters ->> 'longer_than'),
    'whose context has ' || (p_filters ->> 'where'),
    case when p_kind = 'tasks' and p_filters ? 'incident' then 'with steps' end,
    -- Use the text of the incident. If the incident was deleted, use its name.
    'that stand failed: ' || coalesce(
      (select left(i.what, 300) from tasker.incidents as i where i.incident = p_filters ->> 'incident'), p_filters ->> 'incident'
    ),
    'opened for reason ' || (p_filters ->> 'reason')
  );
end;

comment on function tasker.selection_words is
$$Returns a description of a selection in words, with the number of its entries.$$;
