select
  r.object,
  concat_ws(' ',
    pg_get_ruledef(w.oid),
    case w.ev_enabled when 'D' then 'disabled' when 'R' then 'on replicas' when 'A' then 'always' end,
    'comment ' || quote_literal(obj_description(w.oid, 'pg_rewrite'))
  ) as line
from pg_rewrite as w
join relation as r on r.oid = w.ev_class
where w.rulename <> '_RETURN'
order by r.object collate "C", w.rulename
