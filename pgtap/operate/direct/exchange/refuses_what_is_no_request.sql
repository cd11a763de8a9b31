begin;
select plan(15);

select tasker_test.freeze();
create function pg_temp.refused(p_request jsonb, p_detail text, p_what text) returns text language plpgsql as $$
declare
  v_detail text := 'taken';
begin
  perform tasker.exchange(p_request);
  return is(v_detail, p_detail, p_what);
exception when sqlstate 'TK422' then
  get stacked diagnostics v_detail = pg_exception_detail;
  return alike(coalesce(nullif(v_detail, ''), sqlerrm), p_detail, p_what);
end;
$$;
select pg_temp.refused(null, 'it is not an object%', 'null is refused');
select pg_temp.refused('null', 'cannot %', 'a null of JSON is refused');
select pg_temp.refused('[]', 'it is not an object%', 'an array is refused');
select pg_temp.refused('"x"', 'cannot %', 'a text is refused');
select pg_temp.refused('{}', 'a claim names no worker', 'a request without a worker is refused');
select pg_temp.refused('{"worker_uuid": "x"}', 'invalid input syntax for type uuid%', 'a wrong UUID is refused');
select pg_temp.refused('{"result": []}', '%unknown field', 'an unknown field is refused');
select pg_temp.refused('{"limit": 1e30}', '%out of range%', 'a large limit is refused');
select pg_temp.refused('{"results": {}}', 'cannot extract elements%', 'an object of results is refused');
select pg_temp.refused('{"results": [1]}', '%', 'a number as a result is refused');
select pg_temp.refused('{"results": [{"errors": "no"}]}', 'a result has an unknown field', 'a misspelt error is no success');
select pg_temp.refused('{"results": [{"error": ""}]}', 'the error of a failed step is empty', 'an empty error is refused');
select pg_temp.refused('{"known_tasks": {}}', 'known_tasks is not an array', 'an object of known tasks is refused');
select throws_like(
  format('select tasker.exchange(%L)', jsonb_build_object('worker_uuid', tasker_test.worker(), 'limit', 1, 'ahead', 2)),
  '%ahead%', 'errors of exchange_steps are handed on'
);
select pg_temp.refused(jsonb_build_object('results', jsonb_build_array('{"step_uuid": null}'::jsonb), 'worker_uuid', tasker_test.worker()),
  '%', 'a result without a step is refused');

select * from finish();
rollback;
