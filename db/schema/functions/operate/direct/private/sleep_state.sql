create or replace function tasker.sleep_state(
  p_writers   bigint[],
  p_notified  boolean,
  p_poll_at   timestamptz,
  p_until     timestamptz,
  p_now       timestamptz
)
  returns jsonb
  language sql
  stable
begin atomic
  select jsonb_build_object(
    'phase', 'asleep',
    'ms', ceil(greatest(10, least(
      extract(epoch from p_poll_at - p_now) * 1000,
      case when cardinality(p_writers) > 0 then 100 end
    ))),
    'notified', p_notified,
    'writers', to_jsonb(p_writers),
    'poll_at', p_poll_at,
    'until', p_until
  );
end;

comment on function tasker.sleep_state is
$$Returns the field sleep of a reply of exchange_or_sleep. While a transaction that may not have seen the mark is
running, the client has to call again after 100 ms.$$;
