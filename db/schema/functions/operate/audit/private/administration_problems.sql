create or replace function tasker.administration_problems()
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set quote_all_identifiers = off
  set timezone = 'UTC'
  set datestyle = 'ISO, MDY'
  set intervalstyle = 'postgres'
  set extra_float_digits = 1
  set bytea_output = 'hex'
as $$
declare
  v_kind tasker.administered_tables;
begin
  for v_kind in
    select a.* from tasker.administered_tables as a order by a.name
  loop
    return query execute format(
      $q$
      with entries as (
        select distinct on (l.object) l.object, l.was, l.becomes
          from tasker.administration_log as l
         where l.kind = $1.name
         order by l.object, l.entry_no desc
      ),
      logged as (
        select tasker.object_key($1, r.row) as object, r.row
          from entries as e
         -- Since then, a role may have got another name, or another oid by a restore.
         cross join lateral (
           select (e.becomes - 'role_oid') || case
             when e.becomes ? 'role_oid' and to_regrole(e.becomes ->> 'role') is null
               then jsonb_build_object('role', (e.becomes ->> 'role_oid')::oid::regrole::text)
             else '{}'
           end as row
         ) as r
         where e.becomes is not null
      ),
      present as (
        select tasker.object_key($1, to_jsonb(t)) as object, tasker.administered_row($1, to_jsonb(t)) - 'role_oid' as row
          from %1$s as t
      )
      select
        null::uuid, null::integer, null::integer, $1.name,
        format(
          case
            when p.row is null then 'lacks "%%s", which the log of administration has'
            when l.row is null then 'has "%%s", which the log of administration does not have'
            else 'has "%%s" in another form than the log of administration'
          end,
          left(object, 200)
        )
      from logged as l
      full join present as p
        using (object)
      where l.row is distinct from p.row
        -- Rows that a migration inserted have no entry if they have not changed since.
        and not ($1.seeded and not exists (select from entries as e where e.object = p.object))
      order by object
      $q$,
      tasker.administered_table(v_kind.name)
    ) using v_kind;
  end loop;
end;
$$;

comment on function tasker.administration_problems is
$$Finds settings, bindings, tokens, templates, limits, schedules, subscriptions, namespaces and partitions, and names, settings and schedules of tasklib, that differ from their newest entry in tasker.administration_log.$$;
