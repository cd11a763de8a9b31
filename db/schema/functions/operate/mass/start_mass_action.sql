create or replace function tasker.start_mass_action(
  p_selection_uuid  uuid,
  p_action          text,
  p_entries         integer,
  p_reason          text,
  p_arguments       jsonb             default null,
  p_at_once         boolean           default false,
  p_per_minute      integer           default null,
  p_stop_share      double precision  default null,
  p_canary_seconds  integer           default null,
  p_actor           text              default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_selection tasker.selections;
begin
  p_arguments := coalesce(p_arguments, '{}');
  p_at_once := coalesce(p_at_once, false);
  p_stop_share := coalesce(p_stop_share, 0.2);
  p_canary_seconds := coalesce(p_canary_seconds, 300);
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_text_size('reason', p_reason, 800);
  v_selection := tasker.find_selection(p_selection_uuid);
  perform tasker.check_mass_action(v_selection.kind, p_action, p_arguments, p_per_minute, p_stop_share, p_canary_seconds);
  perform tasker.check_text_size('arguments', p_arguments::text, tasker.setting_integer('result_bytes'));
  if coalesce(trim(p_reason), '') = '' then
    raise exception using
      errcode = 'TK422',
      message = 'the reason is missing',
      hint    = 'A change of many things says why, for the logs.';
  end if;
  if v_selection.entries = 0 then
    raise exception using
      errcode = 'TK422',
      message = 'the selection has no entries',
      hint    = 'Nothing matched when it was made: make another one.';
  end if;
  if v_selection.entries is distinct from p_entries then
    raise exception using
      errcode = 'TK409',
      message = format('the selection has %s entries, not %s', v_selection.entries, coalesce(p_entries::text, 'null')),
      hint    = 'Confirm the number that tasker.get_selection() returns.';
  end if;
  perform tasker.check_recent_sign_in();

  insert into tasker.mass_actions (
    selection_uuid, namespaces, action, arguments, entries, reason, canary, canary_seconds, per_minute, stop_share, started_by, started_login,
    stage, waits
  )
  values (
    p_selection_uuid, v_selection.namespaces, p_action, p_arguments, v_selection.entries, p_reason, not p_at_once, p_canary_seconds,
    p_per_minute, p_stop_share, tasker.actor_name(p_actor), session_user, case when p_at_once then 3 else 1 end,
    v_selection.entries
  )
  on conflict (selection_uuid) do nothing;
  if found then
    return true;
  end if;
  if not exists (
    select
      from tasker.mass_actions as m
     where m.selection_uuid = p_selection_uuid
       and m.action = p_action
       and m.arguments = p_arguments
  ) then
    raise exception using
      errcode = 'TK409',
      message = format('selection %s already has a mass action', p_selection_uuid),
      detail  = 'A selection has one mass action at most, so that none of its entries is acted on twice.',
      hint    = 'Make another selection for another action.';
  end if;
  return false;
end;
$$;

comment on function tasker.start_mass_action is
$$Starts an action on the entries of a selection, at most once for each entry. The action can be "reset", "cancel",
"fork" or "resolve" for tasks, "retry", "complete" or "resolve" for steps, and "requeue" for dead letters. p_entries is
the number of entries that the caller has confirmed. The maintenance duty "mass_actions", which "tasker orchestrate" or
pg_cron runs, does the action in batches. Returns false if the same action was started before, so it is safe to repeat
the call.

The duty first acts on one entry, then on ten entries, then on all other entries, at most p_per_minute of them a minute.
A stage begins when all outcomes of the preceding stage are known. The action stops if an outcome is not known after
p_canary_seconds (default 300), or if the share of failures among the known outcomes is larger than p_stop_share
(default 0.2). With p_at_once the action begins with the last stage. The object p_arguments has the fields version,
from_step (default: the first failed step) and cancel (default: true) for a fork, and results for "complete".

p_reason and p_actor (default: the caller's role) go into the log of administration and into the history of each task.
Locks the action's row. Raises TK404 if there is no such selection. Raises TK409 if the selection has another number of
entries than p_entries, or another mass action. Raises TK422 without a reason, for an empty selection, or for arguments
that do not fit the action. Raises TK428 if the caller is a person whose sign-in is too old, and TK413 for arguments
that are too large.$$;

grant execute on function tasker.start_mass_action to tasker_operator;
