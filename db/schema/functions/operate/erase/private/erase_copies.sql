create or replace function tasker.erase_copies(p_task_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_selections uuid[];
begin
  perform tasker.forget_streams(p_task_uuid);
  delete from tasker.failed_timers as f where f.task_uuid = p_task_uuid;
  -- The task can no longer be reset, so it no longer blocks a sequence.
  perform tasker.drop_run(p_task_uuid);

  -- In the feed, erase the events that a target refused, and the events that were found but not read yet.
  update tasker.dead_events as d
     set event = d.event || jsonb_strip_nulls(jsonb_build_object(
           'actor', tasker.erased_text(d.event ->> 'actor'), 'reason', tasker.erased_text(d.event ->> 'reason'),
           'metadata', tasker.erased_json(d.event -> 'metadata')
         )),
         error = 'erased'
   where d.event ->> 'task_uuid' = p_task_uuid::text;
  update tasker.feed_lists as f
     set finds = array(
       select (
                u.created_at, u.task_uuid, u.step_no, u.sort_key, u.event, u.step_from, u.step_to, u.task_from, u.task_to, u.claim_no,
                u.execution_time_ms, u.worker_uuid,
                case when u.task_uuid = p_task_uuid then tasker.erased_text(u.actor) else u.actor end,
                case when u.task_uuid = p_task_uuid then tasker.erased_text(u.reason) else u.reason end,
                case when u.task_uuid = p_task_uuid then tasker.erased_json(u.metadata) else u.metadata end,
                u.has_more
              )::tasker.feed_finds
         from unnest(f.finds) with ordinality as u
        order by u.ordinality
     )
   where exists (select from unnest(f.finds) as u where u.task_uuid = p_task_uuid);

  -- The first text of a cause comes from one run. Its masked text also comes from this run, unless a failure of another
  -- run has the same masked text.
  update tasker.error_causes as c
     set first_error = 'erased',
         masked      = case
           when exists (select from tasker.error_steps as e where e.fingerprint = c.fingerprint and e.task_uuid <> p_task_uuid) then c.masked
           else 'erased'
         end
   where tasker.task_uuid_of(c.first_step) = p_task_uuid;
  if found then
    update tasker.incidents as i
       set what    = case when c.masked = 'erased' then 'erased' else i.what end,
           figures = i.figures || '{"first_error": "erased"}'
      from tasker.error_causes as c
     where tasker.task_uuid_of(c.first_step) = p_task_uuid
       and i.incident = 'failing:' || c.fingerprint;
  end if;

  -- Erase the reasons that people gave for a pause, a change or a skipped run.
  update tasker.administration_log as l
     set reason = tasker.erased_text(l.reason)
   where l.kind in ('tasks', 'runs')
     and l.object = any (array(
       select u.name from tasker.tasks as t join tasker.creation_plans as p on p.named_task_uuid = t.named_task_uuid
        cross join unnest(array[p_task_uuid::text, format('%s/%s/%s', p.namespace, p.name, p_task_uuid)]) as u (name)
        where t.task_uuid = p_task_uuid
     ));

  -- In the selections with this task, erase the filters, the description, and the values that a mass action gave to the
  -- task's steps.
  v_selections := array(select distinct e.selection_uuid from tasker.selection_entries as e where e.task_uuid = p_task_uuid);
  if v_selections = '{}' then
    return;
  end if;
  update tasker.selection_entries as e
     set note = tasker.erased_text(e.note)
   where e.task_uuid = p_task_uuid
     and e.note is not null;
  update tasker.selections as s
     set filters = tasker.erased_json(s.filters),
         words   = 'erased'
   where s.selection_uuid = any (v_selections);
  update tasker.mass_actions as m
     set arguments   = tasker.erased_json(m.arguments),
         reason      = 'erased',
         stopped_why = tasker.erased_text(m.stopped_why)
   where m.selection_uuid = any (v_selections);
  update tasker.administration_log as l
     set reason  = tasker.erased_text(l.reason),
         was     = tasker.erased_mass_action(l.was),
         becomes = tasker.erased_mass_action(l.becomes)
   where l.kind = 'mass_actions'
     and l.object = any (v_selections::text[]);
end;
$$;

comment on function tasker.erase_copies is
$$Erases the copies of a task's data that other tables have: values and streams, timers that failed, the feed, the first
texts of causes, selections and mass actions, and the entries about these in the log of administration.
tasker.erase_rows calls this function.$$;
