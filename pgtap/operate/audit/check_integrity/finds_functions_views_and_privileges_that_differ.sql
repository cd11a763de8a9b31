begin;
select plan(15);

select is_empty($$ select from tasker.check_integrity() $$, 'a new database is as the migrations left it');
select is(
  (select (d.status, d.message)::text from tasker.check_installation() as d where d.name = 'objects'),
  '(ok,"functions, views, tables and privileges are as the migrations left them")', 'doctor says so'
);
create function pg_temp.found_in(p_change text) returns text language plpgsql as $$
declare
  v_found text;
begin
  begin
    execute p_change;
    v_found := (select string_agg(p.object || ' ' || p.problem, '; ') from tasker.check_integrity() as p);
    raise exception using errcode = 'TAP00', message = coalesce(v_found, 'nothing');
  exception when sqlstate 'TAP00' then
    return sqlerrm;
  end;
end;
$$;

select is(
  pg_temp.found_in($$ create or replace function tasker.result_digest(p_result jsonb) returns bytea language sql immutable as 'select null::bytea' $$),
  'function tasker.result_digest(jsonb) differs from what the migrations made', 'another body'
);
select is(
  pg_temp.found_in('alter function tasker.check_unbound() security definer'), 'function tasker.check_unbound() differs from what the migrations made', 'another option'
);
select is(
  pg_temp.found_in('alter function tasker.cancel_task(uuid, text, text) set search_path = public'), 'function tasker.cancel_task(uuid,text,text) differs from what the migrations made', 'another search_path'
);
select is(
  pg_temp.found_in($$
    do $do$ begin execute (select 'create or replace view tasker.step_result_audit as select * from (' || rtrim(pg_get_viewdef('tasker.step_result_audit'::regclass), ';') || ') as v where false'); end $do$
  $$),
  'view tasker.step_result_audit differs from what the migrations made', 'a view that shows nothing'
);
select is(
  pg_temp.found_in('grant select on tasker.tasks to public'), 'table tasker.tasks has other privileges than the migrations gave: SELECT to public, not none', 'a privilege of a table'
);
select is(
  pg_temp.found_in('grant select (value) on tasker.settings to tasker_reader'), 'table tasker.settings has other privileges than the migrations gave: value: SELECT to tasker_reader, not none', 'of a column'
);
select is(
  pg_temp.found_in('grant execute on function tasker.next_claim_no(integer) to public'),
  'function tasker.next_claim_no(integer) has other privileges than the migrations gave: EXECUTE to public, not none', 'of a private function'
);
select is(
  pg_temp.found_in('revoke execute on function tasker.bind_role(text, text[], text, text) from tasker_operator'),
  'function tasker.bind_role(text,text[],text,text) has other privileges than the migrations gave: none, not EXECUTE to tasker_operator', 'a privilege that was taken'
);
select is(pg_temp.found_in('grant create on schema tasker to public') ~ '^schema tasker has other privileges', true, 'of the schema');
select is(
  pg_temp.found_in($$ create function tasker.helper() returns void language sql as '' $$), 'function tasker.helper() exists, which no migration made', 'a function more'
);
select is(
  pg_temp.found_in('create trigger mine before insert on tasker.settings for each row execute function tasker.refuse_run_change()'),
  'table tasker.settings differs from what the migrations made', 'a trigger more'
);
select is(pg_temp.found_in('drop function tasklib.stats(text, double precision)') ~ '^function tasklib.stats.* does not exist, which a migration made$', true, 'a function less');
select matches(
  (
    select pg_temp.found_in($$ do $do$ begin
      alter table tasker.settings drop constraint settings_range_check;
      perform 1;
    end $do$ $$)
  ),
  '^table tasker.settings differs from what the migrations made$', 'a constraint less'
);

select * from finish();
rollback;
