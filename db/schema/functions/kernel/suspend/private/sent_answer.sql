create or replace function tasker.sent_answer(p_name text, p_payload jsonb, p_sent_at timestamptz)
  returns jsonb
  language sql
  stable
  parallel safe
begin atomic
  select jsonb_build_object('name', p_name, 'payload', p_payload, 'sent_at', tasker.utc_text(p_sent_at));
end;

comment on function tasker.sent_answer is
$$Returns the part of a wait's answer that signals and events have in common. The text does not depend on the session, because check_integrity compares the digest of the answer.$$;
