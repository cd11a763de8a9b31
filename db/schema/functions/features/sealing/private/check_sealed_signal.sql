create or replace function tasker.check_sealed_signal(p_task_uuid uuid, p_named_task_uuid uuid, p_name text, p_payload jsonb)
  returns void
  language plpgsql
  stable
as $$
begin
  if p_payload not in ('{}', 'null') and not tasker.is_sealed(p_payload) and exists (
    select from tasker.creation_plans as k where k.named_task_uuid = p_named_task_uuid and k.input_schema ? 'encrypted'
  ) then
    raise exception using
      errcode = 'TK422',
      message = format('pgtasker: the payload of signal "%s" to task %s is not encrypted', p_name, p_task_uuid),
      detail  = 'The template of the task says that payloads are encrypted before they leave the client.',
      hint    = 'Send the signal with a client that has a codec, or send no payload.';
  end if;
end;
$$;

comment on function tasker.check_sealed_signal is
$$Raises TK422 if the payload of a signal is in the clear and the task's template is encrypted. Reads the template's row of tasker.creation_plans only if the payload is not encrypted.$$;
