-- Message, detail and hint, as a user sees them.
begin;
select plan(3);

create function pg_temp.refusal(p_name text, p_value text)
  returns text
  language plpgsql
as $$
declare
  v_detail text;
  v_hint   text;
begin
  perform tasker.set_setting(p_name, p_value);
exception when sqlstate 'TK422' then
  get stacked diagnostics v_detail = pg_exception_detail, v_hint = pg_exception_hint;
  return format('%s. %s %s', sqlerrm, v_detail, v_hint);
end;
$$;

select is(
  pg_temp.refusal('backoff_multiplier', '0.5'),
  'setting "backoff_multiplier" cannot be "0.5". It must be of kind numeric, from 1 to 100. The default is 2.',
  'the error of a number has its kind, bounds and default'
);
select is(
  pg_temp.refusal('queue_notify_global', 'no'),
  'setting "queue_notify_global" cannot be "no". It must be true or false. The default is true.',
  'the error of a boolean has its values and default'
);
select is(
  pg_temp.refusal('notify', 'no'),
  'setting "notify" cannot be "no". It must be one of always, asleep, off. The default is asleep.',
  'the error of a choice has its values and default'
);

select * from finish();
rollback;
