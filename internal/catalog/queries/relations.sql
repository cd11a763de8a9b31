select
  r.object,
  l.line
from relation as r
left join pg_am as am on am.oid = r.relam
cross join lateral (
  values
    (0, case r.relpersistence when 'u' then 'unlogged' when 't' then 'temporary' end),
    (1, 'using ' || am.amname),
    (2, 'tablespace ' || (select t.spcname from pg_tablespace as t where t.oid = r.reltablespace)),
    (3, 'partition by ' || pg_get_partkeydef(r.oid)),
    (4, 'partition ' || pg_get_expr(r.relpartbound, r.oid)),
    (5, (
      select 'inherits ' || string_agg(i.inhparent::regclass::text, ', ' order by i.inhseqno)
      from pg_inherits as i
      where i.inhrelid = r.oid
    )),
    (6, (
      select 'of ' || t.oid::regtype::text
      from pg_type as t
      where t.oid = r.reloftype
    )),
    (7, 'with ' || nullif(array_to_string(array(select unnest(r.reloptions) order by 1), ', '), '')),
    (8, 'toast with ' || (
      select nullif(array_to_string(array(select unnest(t.reloptions) order by 1), ', '), '')
      from pg_class as t
      where t.oid = r.reltoastrelid
    )),
    (9, case when r.relkind in ('r', 'p', 'm') and r.relreplident <> 'd' then 'replica identity ' || r.relreplident::text end),
    (10, case when r.relrowsecurity then 'row level security' end),
    (11, case when r.relforcerowsecurity then 'row level security also for the owner' end),
    (12, case when r.relkind in ('v', 'm') then 'as' || e'\n' || pg_get_viewdef(r.oid) end)
) as l (position, line)
where l.line is not null
order by r.object collate "C", l.position
