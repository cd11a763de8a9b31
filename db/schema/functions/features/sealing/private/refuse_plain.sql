create or replace function tasker.refuse_plain(p_step_uuid uuid, p_what text)
  returns void
  language plpgsql
  stable
as $$
begin
  raise exception using
    errcode = 'TK422',
    message = format('pgtasker: the %s of step %s is not encrypted', p_what, p_step_uuid),
    detail  = 'The template of its task says that payloads are encrypted before they leave the client.',
    hint    = 'Give the worker or the client a codec with a key: docs/howto/encrypted.md.';
end;
$$;

comment on function tasker.refuse_plain is
$$Raises TK422, because a payload for a step of an encrypted template is in the clear.$$;
