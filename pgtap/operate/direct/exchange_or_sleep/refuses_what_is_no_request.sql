begin;
select plan(7);

select tasker_test.freeze();
create function pg_temp.refused(p_request jsonb, p_detail text, p_what text) returns text language plpgsql as $$
declare
  v_detail text := 'taken';
begin
  perform tasker.exchange_or_sleep(p_request);
  return is(v_detail, p_detail, p_what);
exception when sqlstate 'TK422' then
  get stacked diagnostics v_detail = pg_exception_detail;
  return alike(coalesce(nullif(v_detail, ''), sqlerrm), p_detail, p_what);
end;
$$;
select pg_temp.refused(null, 'it is not an object', 'null is refused');
select pg_temp.refused('null', 'it is not an object', 'a null of JSON is refused');
select pg_temp.refused('1', 'it is not an object', 'a number is refused');
select pg_temp.refused('[]', 'it is not an object', 'an array is refused');
select pg_temp.refused('{"sleep": {"phase": "dreams"}}', 'sleep is not what an earlier reply had', 'an unknown phase is refused');
select pg_temp.refused('{"sleep": 1}', '%', 'a number as sleep is refused');
select pg_temp.refused('{"namespaces": {}}', 'cannot extract elements%', 'an object of namespaces is refused');

select * from finish();
rollback;
